// What everybody may see of what an account is told, for those who are told no more (`PublicOnly`). What is easily got
// wrong: what is not marked as everybody's is not, whatever else the mark may be.

import Basics
import JSON
import WebClient

extension VimeoService {
    /// Whether who asks with this account is told only what everybody may see.
    func isCovered(_ access: VimeoAccess) -> Bool { PublicOnly.isOn && !access.isAnonymous }

    /// A page of a collection without what only the account may see: before anybody else has the bytes. How many rows
    /// there are in all is not told either, be they all everybody's: it would differ where others were found.
    ///
    /// - Parameters:
    ///   - fields: what is told of each row, as `VimeoParts` names it.
    ///   - unlocked: ids of videos that were asked for, with their hashes.
    /// - Throws: `badAnswer` for what cannot be looked through.
    func publicOnly(
        _ page: SearchPage, _ access: VimeoAccess, _ fields: String, unlocked: [String] = []
    ) throws(ServiceError) -> SearchPage {
        guard isCovered(access) else { return page }
        guard let rows = try Self.value(page.body)["data"].list else {
            throw .badAnswer(service: name, reason: "it has no list of data")
        }
        let open = VimeoOpenParts(fields)
        let kept = rows.filter { Self.isPublic($0, unlocked) }.map(open.of)
        var page = page
        (page.estimate, page.total, page.last) = (nil, nil, nil)
        page.body = JSON.encode(.record([.init("data", .list(kept)), .init("paging", .record([]))]))
        return page
    }

    /// The same of a page that is one user or list.
    func publicOnly(one page: SearchPage, _ access: VimeoAccess, _ fields: String) throws(ServiceError) -> SearchPage {
        guard isCovered(access) else { return page }
        let value = try Self.value(page.body)
        var page = page
        page.body = Self.isPublic(value, []) ? JSON.encode(VimeoOpenParts(fields).of(value)) : Self.nothing
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
    ///
    /// - Parameter unlocked: ids of videos that were asked for, with their hashes.
    private static func isPublic(_ row: FieldValue, _ unlocked: [String]) -> Bool {
        let uri = row["uri"].text ?? ""
        let steps = uri.split(separator: "/")
        let isOpen = steps.count == 2 && ["users", "categories", "tags"].contains(steps[0])
        let view = row["privacy"]["view"]
        switch view.text {
        case "anybody": return true
        case "unlisted":
            return steps.count == 2 && steps[0] == "videos"
                && isUnlocked(steps[1].split(separator: ":", omittingEmptySubsequences: false), row, unlocked)
        default: return isOpen && view.isNone && row["privacy"].isNone
        }
    }

    /// Whether a video was asked for with its hash: who has that was given it. The service says itself which it is, in
    /// `uri` or `link`, whatever it was asked with.
    private static func isUnlocked(_ name: [Substring], _ row: FieldValue, _ asked: [String]) -> Bool {
        let id = String(name[0])
        var hashes = name.dropFirst().map(String.init)
        // https://vimeo.com/ID/HASH
        let steps = row["link"].text.flatMap { WebAddress($0) }?.path.split(separator: "/") ?? []
        if steps.count == 2, steps[0] == id { hashes.append(WebAddress.decode(String(steps[1]))) }
        guard let hash = hashes.first, !hash.isEmpty, hashes.allSatisfy({ $0 == hash }) else { return false }
        return asked.contains("\(id):\(hash)")
    }
}

/// What of a row is told to those who may see no more than everybody: its members that were asked for, whatever else the
/// service sent, and no count of videos, which is another for the account itself.
private struct VimeoOpenParts {
    private var members: [String: VimeoOpenParts] = [:]

    /// - Parameter fields: names, or paths with points, with commas between them.
    init(_ fields: String) {
        for path in fields.split(separator: ",") where path != "metadata.connections.videos.total" {
            add(path.split(separator: ".").map(String.init)[...])
        }
    }

    private init() {}

    private mutating func add(_ path: ArraySlice<String>) {
        guard let name = path.first else { return }
        members[name, default: VimeoOpenParts()].add(path.dropFirst())
    }

    func of(_ value: FieldValue) -> FieldValue {
        if members.isEmpty { return value }
        if let list = value.list { return .list(list.map(of)) }
        guard let all = value.members else { return .none }
        return .record(
            all.compactMap { member in members[member.name].map { .init(member.name, $0.of(member.value)) } })
    }
}
