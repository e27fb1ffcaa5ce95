// What everybody may see of what an account is told, for those who are told no more (`PublicOnly`). What is easily got
// wrong: what is not marked as everybody's is not, whatever else the mark may be.

import VideoFormats
import VideoModel
import WebClient

extension VimeoService {
    /// Whether who asks with this account is told only what everybody may see.
    func isCovered(_ access: VimeoAccess) -> Bool { PublicOnly.isOn && !access.isAnonymous }

    /// A page of a collection without what only the account may see: before anybody else has the bytes.
    ///
    /// - Parameter unlocked: ids of videos that were asked for, with their hashes.
    /// - Throws: `badAnswer` for what cannot be looked through.
    func publicOnly(
        _ page: SearchPage, _ access: VimeoAccess, unlocked: [String] = []
    ) throws(ServiceError) -> SearchPage {
        guard isCovered(access) else { return page }
        let value = try Self.value(page.body)
        guard let members = value.members, let rows = value["data"].list else {
            throw .badAnswer(service: name, reason: "it has no list of data")
        }
        let hashed = Set(unlocked.filter { $0.utf8.contains(UInt8(ascii: ":")) }.map { "/videos/\($0)" })
        let kept = rows.filter { Self.isPublic($0, hashed) }
        guard kept.count < rows.count else { return page }
        var page = page
        // How many there are would tell of those that are left out.
        (page.estimate, page.total) = (nil, nil)
        page.body = JSON.encode(
            .record(
                members.filter { $0.name != "total" }.map { $0.name == "data" ? .init("data", .list(kept)) : $0 }))
        return page
    }

    /// The same of a page that is one user or list.
    func publicOnly(one page: SearchPage, _ access: VimeoAccess) throws(ServiceError) -> SearchPage {
        guard isCovered(access), !Self.isPublic(try Self.value(page.body), []) else { return page }
        var page = page
        page.body = Self.nothing
        return page
    }

    /// Looks whether everybody may see a list, before what is in it is told. It costs nothing where the list was looked up
    /// before.
    ///
    /// - Returns: how many calls it took.
    /// - Throws: that there is none.
    func checkPublic(
        _ list: VimeoReference?, _ text: String, _ access: VimeoAccess
    ) throws(ServiceError) -> Int {
        guard isCovered(access), let list, list.isGuarded else { return 0 }
        let response: WebResponse
        do throws(ServiceError) { response = try send(lookUpCall(list, VimeoParts.lists), access).response } catch {
            guard case .notThere(_, 404, _, _) = error.plain else { throw error }
            throw noSuchList(text, .items)
        }
        guard Self.isPublic(try Self.value(response.body), []) else { throw noSuchList(text, .items) }
        return response.attempts
    }

    private static func value(_ body: [UInt8]) throws(ServiceError) -> FieldValue {
        do throws(JSONError) { return try JSON.decode(JSON.withoutMark(body)) } catch {
            throw .badAnswer(service: name, reason: "\(error)")
        }
    }

    /// Users, categories and tags are everybody's; all else is what it is marked as.
    private static func isPublic(_ row: FieldValue, _ hashed: Set<String>) -> Bool {
        let uri = row["uri"].text ?? ""
        let steps = uri.split(separator: "/")
        let isOpen = steps.count == 2 && ["users", "categories", "tags"].contains(steps[0])
        let view = row["privacy"]["view"]
        switch view.text {
        case "anybody": return true
        case "unlisted":
            // Who has the hash was given the video.
            return hashed.contains { $0 == uri || $0.hasPrefix(uri + ":") }
        default: return isOpen && view.isNone && row["privacy"].isNone
        }
    }
}
