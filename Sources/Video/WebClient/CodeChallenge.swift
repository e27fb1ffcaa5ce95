// Random texts of a login: the state that must come back, and the proof that who trades a code for a token is who asked
// for it (PKCE, RFC 7636).

import Basics
import CCrypto

/// A random text, and its hash in the form of an address.
public struct CodeChallenge: Sendable {
    /// Is sent when the code is traded, and not before.
    public let verifier: Secret
    /// Is sent first (`S256`).
    public let challenge: String

    /// nil without libcrypto.
    public init?() {
        let text = Self.random()
        var digest = [UInt8](repeating: 0, count: 32)
        let bytes = Array(text.utf8)
        guard bytes.withUnsafeBytes({ ccrypto_sha256($0.baseAddress, $0.count, &digest) }) else { return nil }
        verifier = Secret(text)
        challenge = Base64.encode(digest, forAddress: true)
    }

    /// 43 letters of 256 random bits.
    public static func random() -> String {
        var source = SystemRandomNumberGenerator()
        return Base64.encode((0..<32).map { _ in UInt8.random(in: 0...255, using: &source) }, forAddress: true)
    }
}
