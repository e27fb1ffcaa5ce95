// A record: a video, or a channel or playlist among search results. Fields are decoded lazily from the backing (for
// example a JSON row), so a filter on two fields decodes two fields. Setting a field never changes the backing: changes
// are layered on top.

import Basics

/// The source of a record's unchanged fields. A value or an immutable object.
public protocol VideoBacking: Sendable {
    /// The decoded field; `.none` if unknown.
    func value(of field: VideoField) -> FieldValue
    /// Additional data of the record that is not a field, by name.
    var extra: [FieldValue.Member] { get }
    /// Passes the UTF-8 bytes of a text field to a closure without creating a String.
    ///
    /// - Returns: false if the closure was not called and the caller must use `value(of:)`: the field is not text, is
    ///   empty, or direct access would save nothing.
    func withText(of field: VideoField, _ body: (Span<UInt8>) -> Void) -> Bool
    /// Approximate bytes of memory that this backing keeps alive, for limits on memory; 0 for few.
    var footprint: Int { get }
}

extension VideoBacking {
    public func withText(of field: VideoField, _ body: (Span<UInt8>) -> Void) -> Bool { false }
    public var footprint: Int { 0 }
}

/// A video, or a channel or playlist from search results.
public struct Video: Sendable {
    private let backing: any VideoBacking
    private var changes: Changes?

    /// Stored behind one reference, so that an unchanged record costs one word.
    private final class Changes: Sendable {
        /// One bit per field in `values`. Every search result has one change, `found_in`, so reading its other fields
        /// must cost no more than testing a bit.
        let mask: UInt64
        /// In the order they were last set. Usually few.
        let values: [(field: VideoField, value: FieldValue)]
        let extra: [FieldValue.Member]?
        let lookUp: VideoFieldSet

        init(
            _ values: [(field: VideoField, value: FieldValue)], mask: UInt64, extra: [FieldValue.Member]?,
            lookUp: VideoFieldSet
        ) {
            self.mask = mask
            self.values = values
            self.extra = extra
            self.lookUp = lookUp
        }

        subscript(field: VideoField) -> FieldValue? {
            guard mask & field.bit != 0 else { return nil }
            return values.first { $0.field == field }?.value
        }
    }

    public init(backing: any VideoBacking) {
        self.backing = backing
    }

    /// A record with the given fields. All other fields are unknown.
    public init(_ fields: [VideoField: FieldValue] = [:], extra: [FieldValue.Member] = []) {
        self.init(backing: HandMade(fields: fields, extra: extra))
    }

    private struct HandMade: VideoBacking {
        let fields: [VideoField: FieldValue]
        let extra: [FieldValue.Member]
        func value(of field: VideoField) -> FieldValue { fields[field] ?? .none }
    }

    /// A field, decoded on access; `.none` if unknown. Setting `.none` makes it unknown.
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
            changes = Changes(values, mask: mask | field.bit, extra: changes?.extra, lookUp: lookUp)
        }
    }

    /// Passes the UTF-8 bytes of a text field to a closure without creating a String. This is much cheaper if the text
    /// is only copied.
    ///
    /// - Returns: false if the closure was not called and the field must be read instead.
    public func withText(of field: VideoField, _ body: (Span<UInt8>) -> Void) -> Bool {
        if let changes, changes.mask & field.bit != 0 { return false }
        return backing.withText(of: field, body)
    }

    /// The backing, if every field but `found_in` is still read from it. Every search result has that one change.
    package var unchangedBacking: (any VideoBacking)? {
        guard let changes else { return backing }
        return changes.mask & ~VideoField.foundIn.bit == 0 ? backing : nil
    }

    /// Approximate bytes of memory that the backing keeps alive.
    public var footprint: Int { backing.footprint }

    /// Additional data set by plugins. Later stages see it, and it is written to JSON Lines.
    public var extra: [FieldValue.Member] {
        get { changes?.extra ?? backing.extra }
        set { changes = Changes(changes?.values ?? [], mask: changes?.mask ?? 0, extra: newValue, lookUp: lookUp) }
    }

    /// Fields that a look-up may still tell. Whoever first needs one of them looks the record up.
    package var lookUp: VideoFieldSet {
        get { changes?.lookUp ?? [] }
        set {
            changes = Changes(
                changes?.values ?? [], mask: changes?.mask ?? 0, extra: changes?.extra, lookUp: newValue)
        }
    }

    /// Sets `found_in` and `lookUp` together.
    package mutating func setOrigin(_ origin: FieldValue, lookUp: VideoFieldSet) {
        var values = changes?.values ?? []
        values.removeAll { $0.field == .foundIn }
        values.append((.foundIn, origin))
        changes = Changes(
            values, mask: (changes?.mask ?? 0) | VideoField.foundIn.bit, extra: changes?.extra, lookUp: lookUp)
    }

    /// Whether a field should be looked up before it is read. Search replies cut descriptions short.
    package func needsLookUp(of field: VideoField) -> Bool {
        lookUp.contains(field) && (field == .description || self[field].isNone)
    }

    /// The same record without the memory of what it was parsed with.
    package var detached: Video {
        if footprint == 0 { return self }
        var fields: [VideoField: FieldValue] = [:]
        for field in VideoField.allCases {
            let value = self[field]
            if !value.isNone { fields[field] = value }
        }
        var copy = Video(fields, extra: extra)
        if !lookUp.isEmpty { copy.lookUp = lookUp }
        return copy
    }

    /// A value derived from other fields, for a field that the source does not give.
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
    /// In seconds. nil while live or upcoming, and if unknown.
    public var duration: Int64? { self[.duration].integer }
    public var views: Int64? { self[.views].integer }
    public var likes: Int64? { self[.likes].integer }
    public var comments: Int64? { self[.comments].integer }
    public var tags: [String]? { self[.tags].list?.compactMap(\.text) }
    public var kind: Kind { self[.kind].text.flatMap(Kind.init(rawValue:)) ?? .video }
    public var channel: Channel { Channel(self[.channel], provider: provider) }
    public var thumbnails: [Thumbnail] { Thumbnail.list(self[.thumbnails]) }

    /// The type of a record.
    public enum Kind: String, Sendable, CaseIterable {
        case video, channel, playlist
        /// Any other web page: an instant answer, or an article in a feed.
        case page
    }

    /// Whether the video can be played in a country. nil if the record has no regions.
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
