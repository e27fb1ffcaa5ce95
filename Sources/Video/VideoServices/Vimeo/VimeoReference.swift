// What is looked up at Vimeo by a text: addresses of its pages, paths of its API, ids and names. What is easily got
// wrong: a channel of Vimeo's is a list that somebody chose; who publishes is a user, which is what a channel is at other
// services.

import Basics
import VideoModel

enum VimeoReference: Equatable {
    /// By id or by the name in its address.
    case user(String)
    /// Whom the token is for.
    case me
    /// A list, as its path below the API's address, and whether that path itself gives its videos.
    case list([String], isListing: Bool)

    private static let service = VimeoService.name

    /// Who publishes. A list is taken, too, where what is in it is asked for.
    static func channel(_ text: String, for kind: LookUp.Kind) throws(ServiceError) -> VimeoReference {
        if text == "me" || text == "/me" { return .me }
        if let ref = reference(text) {
            guard ref.provider == service else {
                throw .badReference(service: service, kind, text: text, reason: "it is at \(ref.provider)")
            }
            if ref.kind == .user { return .user(ref.id) }
            if kind == .uploads, let list = list(ref) { return list }
            throw .badReference(service: service, kind, text: text, reason: "it names a \(ref.kind.rawValue)")
        }
        let steps = steps(text)
        if steps.count == 2, steps[0] == "users", isName(steps[1]) { return .user(steps[1]) }
        if kind == .uploads, let list = list(steps) { return list }
        let name = text.hasPrefix("@") ? String(text.dropFirst()) : text
        if steps.count == 1, isName(name) { return .user(name) }
        throw .badReference(
            service: service, kind, text: text, reason: "it is neither a user's id, name or address, nor 'me'")
    }

    /// A list that somebody made.
    static func playlist(_ text: String, for kind: LookUp.Kind) throws(ServiceError) -> VimeoReference {
        if let list = list(ofAddress: text) { return list }
        if let ref = reference(text) {
            if ref.provider == service, let list = list(ref) { return list }
            let reason = ref.provider == service ? "it names a \(ref.kind.rawValue)" : "it is at \(ref.provider)"
            throw .badReference(service: service, kind, text: text, reason: reason)
        }
        let steps = steps(text)
        if let list = list(steps), kind == .items || !list.isListing { return list }
        if steps.count == 1, isName(text), text != "me" {
            return .list(
                MediaRef.canonicalURL(provider: service, kind: .video, id: text) != nil
                    ? ["albums", text] : ["channels", text], isListing: false)
        }
        throw .badReference(
            service: service, kind, text: text,
            reason: "it is neither a showcase's id, a channel's name, an address, nor a path such as groups/NAME")
    }

    /// `ID`, or `ID:HASH` for an unlisted video, from those or from an address.
    static func video(_ text: String) throws(ServiceError) -> String {
        if let ref = try? MediaRef.parse(text), ref.provider == service, ref.kind == .video {
            return ref.hash.map { "\(ref.id):\($0)" } ?? ref.id
        }
        let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard MediaRef.canonicalURL(provider: service, kind: .video, id: halves[0]) != nil,
            halves.count == 1 || isName(halves[1])
        else { throw .badReference(service: service, .videos, text: text, reason: "it is no video's id") }
        return text
    }

    /// Whether only the account itself may see it, whatever is in it.
    var isPrivate: Bool {
        switch self {
        case .me: true
        case .user(let name): Self.isMe(name)
        case .list(let path, _):
            path.first.map(Self.isMe) ?? false
                || path.first == "users" && path.count > 2 && (Self.isMe(path[1]) || path[2] == "watchlater")
        }
    }

    private static func isMe(_ name: String) -> Bool { name.lowercased() == "me" }

    /// Whether it is a list that bears a mark of who may see it; all others are of everybody, or are `isPrivate`.
    var isGuarded: Bool {
        guard case .list(let path, false) = self, let word = path.dropLast().last else { return false }
        return ["channels", "groups", "albums"].contains(word)
    }

    private var isListing: Bool { if case .list(_, true) = self { true } else { false } }

    /// Where it is itself.
    var path: [String] {
        switch self {
        case .me: ["me"]
        case .user(let name): ["users", name]
        case .list(let path, _): path
        }
    }

    /// Where its videos are.
    var videos: [String] { isListing ? path : path + ["videos"] }

    // MARK: Forms

    private static let words: Set<String> = ["channels", "groups", "albums", "categories", "tags"]
    /// Lists of a person whose path gives videos.
    private static let personal: Set<String> = ["videos", "likes", "appearances", "watchlater"]

    private static func list(_ ref: MediaRef) -> VimeoReference? {
        switch ref.kind {
        case .channel: .list(["channels", ref.id], isListing: false)
        case .group: .list(["groups", ref.id], isListing: false)
        case .showcase: .list(["albums", ref.id], isListing: false)
        default: nil
        }
    }

    /// What an address names. Bare words are this service's, even where they look like another's ids.
    private static func reference(_ text: String) -> MediaRef? {
        text.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") } ? try? MediaRef.parse(text) : nil
    }

    /// An address of the site, whose scheme need not be written.
    static func address(_ text: String) -> WebAddress? {
        guard text.utf8.contains(UInt8(ascii: ".")), !text.hasPrefix("/"),
            let address = WebAddress(text.mentions("://") ? text : "https://" + text), let host = address.host,
            ["vimeo.com", "www.vimeo.com", "player.vimeo.com"].contains(host)
        else { return nil }
        return address
    }

    /// The pages of categories and tags are none that `MediaRef` takes for somebody's.
    private static func list(ofAddress text: String) -> VimeoReference? {
        guard let address = address(text) else { return nil }
        let steps = steps(address.path).map { WebAddress.decode($0) }
        if steps.count == 1, steps[0].hasPrefix("tag:") {
            let word = String(steps[0].dropFirst("tag:".count))
            return isName(word) ? .list(["tags", word], isListing: false) : nil
        }
        return steps.first == "categories" ? list(steps) : nil
    }

    /// A path of the API.
    private static func list(_ steps: [String]) -> VimeoReference? {
        var steps = steps.map { $0 == "showcases" ? "albums" : $0 }
        guard steps.allSatisfy(isName) else { return nil }
        let isPerson = steps.first == "me" || steps.first == "users"
        if !isPerson, steps.count == 3, steps[2] == "videos" { steps.removeLast() }
        if !isPerson { return steps.count == 2 && words.contains(steps[0]) ? .list(steps, isListing: false) : nil }
        let rest = steps.dropFirst(steps[0] == "me" ? 1 : 2)
        switch (rest.first, rest.count) {
        case (let word?, 1) where personal.contains(word): return .list(steps, isListing: true)
        case ("albums", 2): return .list(steps, isListing: false)
        case ("albums", 3) where rest.last == "videos": return .list(Array(steps.dropLast()), isListing: false)
        default: return nil
        }
    }

    private static func steps(_ text: String) -> [String] {
        let text = text.hasPrefix("/") ? String(text.dropFirst()) : text
        return text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }

    /// A step of a path that leads nowhere else.
    private static func isName(_ text: String) -> Bool {
        (1...120).contains(text.utf8.count) && text != "." && text != ".."
            && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"/?#%&\\\"<>:@".utf8.contains($0) }
    }
}
