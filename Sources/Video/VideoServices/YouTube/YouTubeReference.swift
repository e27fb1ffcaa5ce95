// What people call a channel or a playlist by, as the API can be asked for it.

import VideoModel

/// A channel by its id, handle or old user name; a playlist by its id.
enum YouTubeReference: Equatable {
    case channel(String)
    case handle(String)
    /// An old user name, from its address.
    case user(String)
    /// A bare name: an old user name or, more often today, a handle.
    case name(String)
    case playlist(String)

    /// A channel: `UC…`, `@handle`, an address of its page, or a bare name.
    static func channel(_ text: String, for kind: LookUp.Kind) throws(ServiceError) -> YouTubeReference {
        func bad(_ reason: String) -> ServiceError {
            .badReference(service: YouTubeService.name, kind, text: text, reason: reason)
        }
        let ref: MediaRef
        do throws(MediaRef.Refusal) { ref = try MediaRef.parse(text) } catch {
            if isName(text) { return .name(text) }
            throw bad("\(error)")
        }
        guard ref.provider == YouTubeService.name else { throw bad("it is at \(ref.provider)") }
        switch ref.kind {
        case .channel: return .channel(ref.id)
        case .handle: return .handle(ref.id)
        case .user: return .user(ref.id)
        case .playlist where ref.id.hasPrefix("UU") && ref.id.utf8.count == 24:
            return .channel("UC" + ref.id.dropFirst(2))
        // The API can be asked for neither.
        case .custom: throw bad("a /c/ name cannot be looked up; the channel's page says its @handle")
        default: throw bad("it names a \(ref.kind.rawValue), not a channel")
        }
    }

    /// The id of a playlist, from itself or an address that has it.
    static func playlist(_ text: String, for kind: LookUp.Kind) throws(ServiceError) -> String {
        func bad(_ reason: String) -> ServiceError {
            .badReference(service: YouTubeService.name, kind, text: text, reason: reason)
        }
        let ref: MediaRef
        do throws(MediaRef.Refusal) { ref = try MediaRef.parse(text) } catch { throw bad("\(error)") }
        guard ref.provider == YouTubeService.name else { throw bad("it is at \(ref.provider)") }
        guard let id = ref.kind == .playlist ? ref.id : ref.list else {
            throw bad("it names a \(ref.kind.rawValue), not a playlist")
        }
        return id
    }

    /// Whether a text can be a user's name or a handle without its sign.
    private static func isName(_ text: String) -> Bool {
        (2...60).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || $0.properties.numericType != nil || "._-".unicodeScalars.contains($0)
            }
    }
}
