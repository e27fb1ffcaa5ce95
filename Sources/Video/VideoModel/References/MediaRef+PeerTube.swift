// PeerTube URLs. There are thousands of servers, so any host is possible and the path decides: it must contain an id
// that other sites do not use (a UUID, or 22 characters of base58). A path such as `/c/name` alone is not sufficient.

import Basics

extension MediaRef {
    /// PeerTube's paths. If one path is a prefix of another, the longer one comes first.
    private static let peerTubePaths: [(path: [String], kind: Kind)] = [
        (["w", "p"], .playlist),
        (["w"], .video),
        (["videos", "watch", "playlist"], .playlist),
        (["videos", "watch"], .video),
        (["videos", "embed"], .video),
        (["video-playlists", "embed"], .playlist),
        (["api", "v1", "videos", "watch"], .video),
        (["api", "v1", "videos"], .video),
        (["api", "v1", "video-playlists"], .playlist),
        (["c"], .channel),
        (["video-channels"], .channel),
        (["a"], .user),
        (["accounts"], .user),
    ]

    /// nil unless the page is certainly from PeerTube.
    static func peerTube(_ page: Page) -> MediaRef? {
        guard let match = peerTubePaths.first(where: { page.segments.starts(with: $0.path) }),
            page.segments.count > match.path.count
        else { return nil }
        // Pages keep their state behind a semicolon: `/w/ID;threadId=8872`.
        let named = page.segments[match.path.count]
        let id = String(named[..<(named.utf8.firstIndex(of: UInt8(ascii: ";")) ?? named.endIndex)])
        var host = page.host
        if let port = page.address.port, port != 443, port != 80 { host += ":\(port)" }
        let isVideo = match.kind == .video
        switch match.kind {
        case .video, .playlist:
            guard isUUID(id) || isShortUUID(id) else { return nil }
        default:
            guard isUUID(id) || isRemoteName(id) || saysPeerTube(page.host) && isName(id) else { return nil }
        }
        let prefix: String =
            switch match.kind {
            case .video: "/w/"
            case .playlist: "/w/p/"
            case .channel: "/c/"
            default: "/a/"
            }
        // http is used only for servers on the developer's own machine.
        let scheme = page.isSecure || host == page.host && page.host != "localhost" ? "https" : "http"
        return MediaRef(
            provider: "peertube", kind: match.kind, id: id, url: "\(scheme)://\(host)\(prefix)\(id)",
            start: isVideo ? page.start : nil, finish: isVideo ? page.finish : nil,
            list: match.kind == .playlist ? id : nil, host: host)
    }

    /// The URL of the player on the server of the reference.
    static func peerTubeEmbed(_ ref: MediaRef, path: String) -> String? {
        guard let host = ref.host else { return nil }
        return (ref.url.hasPrefix("http:") ? "http://" : "https://") + host + path + ref.id
    }

    /// Whether a host is an ASCII domain name (others are in punycode), an IPv4 address or `localhost`.
    static func isServerName(_ host: String) -> Bool {
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return (labels.count > 1 || host == "localhost")
            && labels.allSatisfy { label in
                !label.isEmpty && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                    && label.allSatisfy {
                        ByteScanner.isLetter($0) || ByteScanner.isDigit($0) || $0 == UInt8(ascii: "-")
                    }
            }
    }

    private static func saysPeerTube(_ host: String) -> Bool {
        host == "framatube.org"
            || host.utf8.split(separator: UInt8(ascii: ".")).contains { $0.starts(with: "peertube".utf8) }
    }

    /// 8-4-4-4-12 hexadecimal digits.
    private static func isUUID(_ text: String) -> Bool {
        text.utf8.count == 36
            && zip(0..., text.utf8).allSatisfy { index, byte in
                [8, 13, 18, 23].contains(index)
                    ? byte == UInt8(ascii: "-")
                    : ByteScanner.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
            }
    }

    /// A UUID as 22 characters of Bitcoin's base58, which excludes `0 O I l`.
    private static func isShortUUID(_ text: String) -> Bool {
        text.utf8.count == 22
            && text.utf8.allSatisfy {
                (ByteScanner.isLetter($0) || ByteScanner.isDigit($0)) && !"0OIl".utf8.contains($0)
            }
    }

    /// Expands the 22 characters by which PeerTube abbreviates a UUID in URLs. Any other text is returned unchanged.
    public static func peerTubeUUID(_ text: String) -> String {
        guard isShortUUID(text) else { return text }
        let digits = "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ".utf8
        var bytes = [UInt8](repeating: 0, count: 16)
        for byte in text.utf8 {
            guard let index = digits.firstIndex(of: byte) else { return text }
            var carry = digits.distance(from: digits.startIndex, to: index)
            for place in bytes.indices.reversed() {
                carry += Int(bytes[place]) * 58
                bytes[place] = UInt8(carry & 0xFF)
                carry >>= 8
            }
            if carry > 0 { return text }
        }
        let hexadecimal = "0123456789abcdef".utf8.map { $0 }
        var uuid: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { uuid.append(UInt8(ascii: "-")) }
            uuid += [hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 0xF)]]
        }
        return String(decoding: uuid, as: UTF8.self)
    }

    /// A channel or account on another server: `name@host`.
    private static func isRemoteName(_ text: String) -> Bool {
        let halves = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        return halves.count == 2 && isName(halves[0]) && isServerName(halves[1].lowercased())
    }

    private static func isName(_ text: String) -> Bool {
        (1...50).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                ByteScanner.isLetter($0) || ByteScanner.isDigit($0) || $0 == UInt8(ascii: "_")
                    || $0 == UInt8(ascii: ".")
                    || $0 == UInt8(ascii: "-")
            }
    }
}
