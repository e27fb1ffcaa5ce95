// A record: one video, or a channel or playlist among search hits. Its fields decode when they are read, from whatever
// backs it (a row of JSON, say), so a filter that looks at two fields pays for two. Setting a field never touches the
// backing: changes lie on top of it.

import Basics

/// Where the fields of a record come from until they are changed. A value, or an immutable object.
public protocol VideoBacking: Sendable {
    /// The decoded field, `.none` when unknown.
    func value(of field: VideoField) -> FieldValue
    /// Data that is not a field of the record but travels with it, by name.
    var extra: [FieldValue.Member] { get }
    /// Lets a body look at the UTF-8 of a field's text where it lies, without making a string of it.
    ///
    /// - Returns: false, and the body has not run, where `value(of:)` must be asked: the field is no text or is empty,
    ///   or there is nothing to be saved.
    func withText(of field: VideoField, _ body: (Span<UInt8>) -> Void) -> Bool
    /// Bytes of memory that it keeps alive, about, for whoever has to know when to let records go; 0 for few.
    var footprint: Int { get }
}

extension VideoBacking {
    public func withText(of field: VideoField, _ body: (Span<UInt8>) -> Void) -> Bool { false }
    public var footprint: Int { 0 }
}

/// A video, or a channel or playlist as search finds them beside videos.
public struct Video: Sendable {
    private let backing: any VideoBacking
    private var changes: Changes?

    /// Kept behind one reference, so that an unchanged record costs a word.
    private final class Changes: Sendable {
        /// A bit for each field in `values`. Every record of a search has one change, `found_in`, and reading its
        /// other fields should cost a look at the bits and no more.
        let mask: UInt64
        /// Few, in the order they were last set.
        let values: [(field: VideoField, value: FieldValue)]
        let extra: [FieldValue.Member]?

        init(_ values: [(field: VideoField, value: FieldValue)], mask: UInt64, extra: [FieldValue.Member]?) {
            self.mask = mask
            self.values = values
            self.extra = extra
        }

        subscript(field: VideoField) -> FieldValue? {
            guard mask & field.bit != 0 else { return nil }
            return values.first { $0.field == field }?.value
        }
    }

    public init(backing: any VideoBacking) {
        self.backing = backing
    }

    /// A record made by hand; unnamed fields are unknown.
    public init(_ fields: [VideoField: FieldValue] = [:], extra: [FieldValue.Member] = []) {
        self.init(backing: HandMade(fields: fields, extra: extra))
    }

    private struct HandMade: VideoBacking {
        let fields: [VideoField: FieldValue]
        let extra: [FieldValue.Member]
        func value(of field: VideoField) -> FieldValue { fields[field] ?? .none }
    }

    /// A field, decoded now; `.none` when unknown. Setting `.none` makes it unknown.
    public subscript(field: VideoField) -> FieldValue {
        get {
            if let changed = changes?[field] { return changed }
            let value = backing.value(of: field)
            return value.isNone ? derived(field) : value
        }
        set {
            let mask = changes?.mask ?? 0
            var values = changes?.values ?? []
            if mask & field.bit != 0 { values.removeAll { $0.field == field } }
            values.append((field, newValue))
            changes = Changes(values, mask: mask | field.bit, extra: changes?.extra)
        }
    }

    /// Lets a body look at the UTF-8 of a field's text where it lies; much cheaper than a string where the text is only
    /// passed on.
    ///
    /// - Returns: false, and the body has not run, where the field itself must be read.
    public func withText(of field: VideoField, _ body: (Span<UInt8>) -> Void) -> Bool {
        if let changes, changes.mask & field.bit != 0 { return false }
        return backing.withText(of: field, body)
    }

    /// Bytes of memory that what backs it keeps alive, about.
    public var footprint: Int { backing.footprint }

    /// Plain data that plugins hang on a record: seen by later stages and written to JSON Lines.
    public var extra: [FieldValue.Member] {
        get { changes?.extra ?? backing.extra }
        set { changes = Changes(changes?.values ?? [], mask: changes?.mask ?? 0, extra: newValue) }
    }

    /// What follows from other fields when the source did not say.
    private func derived(_ field: VideoField) -> FieldValue {
        switch field {
        case .kind:
            return .text("video")
        case .url:
            guard let provider = provider, let id = id else { return .none }
            return FieldValue(MediaRef.canonicalURL(provider: provider, kind: kind, id: id))
        case .live:
            guard let state = self[.liveState].text else { return .none }
            return .bool(state == "live")
        case .liveState:
            guard let live = backing.value(of: .live).bool else { return .none }
            return live ? .text("live") : .none
        default:
            return .none
        }
    }
}

extension VideoField {
    fileprivate var bit: UInt64 { 1 << UInt64(rawValue) }
}

extension Video {
    public var provider: String? { self[.provider].text }
    public var id: String? { self[.id].text }
    public var title: String? { self[.title].text }
    public var url: String? { self[.url].text }
    public var description: String? { self[.description].text }
    /// Epoch seconds.
    public var published: Int64? { self[.published].integer }
    /// Seconds; nil while live or upcoming, and when unknown.
    public var duration: Int64? { self[.duration].integer }
    public var views: Int64? { self[.views].integer }
    public var likes: Int64? { self[.likes].integer }
    public var comments: Int64? { self[.comments].integer }
    public var tags: [String]? { self[.tags].list?.compactMap(\.text) }
    public var kind: Kind { self[.kind].text.flatMap(Kind.init(rawValue:)) ?? .video }
    public var channel: Channel { Channel(self[.channel], provider: provider) }
    public var thumbnails: [Thumbnail] { Thumbnail.list(self[.thumbnails]) }

    /// What a record is.
    public enum Kind: String, Sendable, CaseIterable {
        case video, channel, playlist
        /// Anything else on the web: an instant answer, an article in a feed.
        case page
    }

    /// Whether the video plays in a country; nil when nothing is known of the record's regions.
    ///
    /// - Parameter country: ISO 3166-1 alpha-2, any case.
    public func playable(in country: String) -> Bool? {
        let code = country.uppercased()
        let regions = self[.regions]
        func names(_ list: FieldValue) -> [String]? { list.list?.compactMap { $0.text?.uppercased() } }
        if let allowed = names(regions["allowed"]) { return allowed.contains(code) }
        if let blocked = names(regions["blocked"]) { return !blocked.contains(code) }
        return nil
    }
}
