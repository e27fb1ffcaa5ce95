// Random values of an OAuth login: `state`, and the PKCE verifier and challenge (RFC 7636). PKCE proves that the client
// that exchanges the code is the client that requested it.

import Basics
import CCrypto

/// A random PKCE verifier and its challenge, the base64url-encoded SHA-256 hash.
public struct CodeChallenge: Sendable {
    /// Sent when the code is exchanged for a token, not before.
    public let verifier: Secret
    /// Sent in the authorization request (method `S256`).
    public let challenge: String

    /// nil if libcrypto is not available.
    public init?() {
        let text = Self.random()
        var digest = [UInt8](repeating: 0, count: 32)
        let bytes = Array(text.utf8)
        guard bytes.withUnsafeBytes({ ccrypto_sha256($0.baseAddress, $0.count, &digest) }) else { return nil }
        verifier = Secret(text)
        challenge = Base64.encode(digest, forAddress: true)
    }

    /// 256 random bits as 43 base64url characters.
    public static func random() -> String {
        var source = SystemRandomNumberGenerator()
        return Base64.encode((0..<32).map { _ in UInt8.random(in: 0...255, using: &source) }, forAddress: true)
    }
}
