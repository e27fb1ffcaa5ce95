// SHA-256 in lower-case hexadecimal.

import CCrypto
import HostErrors

package enum Digest {
    /// The SHA-256 digest of the bytes.
    ///
    /// - Throws: `.missingTool` when libcrypto is not installed.
    package static func sha256(_ bytes: [UInt8]) throws(HostError) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        let done = bytes.withUnsafeBytes { ccrypto_sha256($0.baseAddress, $0.count, &digest) }
        guard done else { throw .package(.missingTool("libcrypto.so.3", package: "libssl3")) }
        let digits = Array("0123456789abcdef".utf8)
        let text = digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether a text has the form of such a digest.
    package static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
