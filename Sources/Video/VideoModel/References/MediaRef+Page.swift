// A URL parsed for matching: path segments, query and times. Parsing is more lenient than RFC 3986, because real URLs
// join parameters in many ways (`/ID&t=10`, `?v=ID?t=10`, `#t=10`).

import Basics

extension MediaRef {
    /// A web URL prepared for matching.
    struct Page {
        let address: WebAddress
        /// In lower case, without a trailing dot.
        let host: String
        let isSecure: Bool
        /// Percent-decoded, without empty segments.
        let segments: [String]
        private let query: [WebAddress.QueryItem]
        private let fragment: [WebAddress.QueryItem]

        init(_ address: WebAddress, host: String, isSecure: Bool) {
            var address = address
            // The query is part of the path: `/watch%3Fv%3DID`, `/vi/ID&feature=share`.
            if address.query == nil {
                let path = Self.holdsEncodedMark(address.path) ? WebAddress.decode(address.path) : address.path
                if let mark = path.utf8.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "&") }) {
                    address.path = String(path[..<mark])
                    address.query = String(path[mark...].dropFirst())
                }
            }
            // The equals sign is encoded: `?v%3DID`.
            if let query = address.query, !query.utf8.contains(UInt8(ascii: "=")), query.lowercased().mentions("%3d") {
                address.query = WebAddress.decode(query)
            }
            self.address = address
            self.host = host
            self.isSecure = isSecure
            segments = address.pathSegments
            let separators = [UInt8(ascii: "&"), UInt8(ascii: "?"), UInt8(ascii: "#")]
            query = WebAddress.items(address.query ?? "", separators: separators)
            fragment = WebAddress.items(address.fragment ?? "", separators: separators + [UInt8(ascii: "!")])
        }

        /// All parameters, those of the query first.
        private var items: [WebAddress.QueryItem] { query + fragment }

        private static func holdsEncodedMark(_ path: String) -> Bool {
            path.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst()
                .contains { $0.prefix(2).map { $0 | 0x20 }.elementsEqual([0x33, 0x66]) }
        }

        /// The first non-empty value of a parameter, by order of the names. nil if there is none.
        func value(_ names: String...) -> String? {
            for name in names {
                if let value = items.first(where: { $0.name == name && $0.value?.isEmpty == false })?.value {
                    return value
                }
            }
            return nil
        }

        /// A URL in the first of these parameters, which may contain `?`. A relative one refers to the page's own host.
        func nested(_ names: String...) -> String? { nested(names) }

        func nested(_ names: [String]) -> String? {
            guard let value = names.lazy.compactMap({ address.queryValue($0) }).first(where: { !$0.isEmpty }) else {
                return nil
            }
            let isPath = value.utf8.starts(with: "/".utf8) && !value.utf8.starts(with: "//".utf8)
            return isPath ? "https://\(host)\(value)" : value
        }

        /// The start in seconds. The query takes precedence over the fragment. nil if there is none.
        var start: Int64? {
            if let start = range?.start { return start }
            for name in ["start", "time_continue", "starttime", "start_time"] {
                if let seconds = value(name).flatMap({ Page.time($0) }) { return seconds }
            }
            return nil
        }

        /// The end in seconds. nil if there is none.
        var finish: Int64? {
            for name in ["end", "stop", "end_time"] {
                if let seconds = value(name).flatMap({ Page.time($0) }) { return seconds }
            }
            return range?.finish
        }

        /// The time range in `t`: the first one of the query, otherwise the last valid one of the fragment, as W3C Media
        /// Fragments 1.0 requires (4.2.1, 4.1). nil if there is none.
        private var range: (start: Int64?, finish: Int64?)? {
            func ranges(_ items: [WebAddress.QueryItem]) -> some Sequence<(start: Int64?, finish: Int64?)> {
                items.lazy.filter { $0.name == "t" }.compactMap { $0.value.flatMap(Page.range) }
            }
            return ranges(query).first { _ in true } ?? Array(ranges(fragment)).last
        }

        /// Parses `10`, `10,20`, `,20`, or any of these after `npt:`. nil for anything else, and for a range that ends
        /// before it starts or is empty.
        private static func range(_ text: String) -> (start: Int64?, finish: Int64?)? {
            let text = text.hasPrefix("npt:") ? String(text.dropFirst(4)) : text
            let halves = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard halves.count <= 2 else { return nil }
            let start = time(halves[0])
            guard halves.count == 2 else { return start.map { ($0, nil) } }
            guard start != nil || halves[0].isEmpty, let finish = time(halves[1]), (start ?? 0) < finish else {
                return nil
            }
            return (start, finish)
        }

        /// Host and path, for error messages.
        var name: String { host + (address.path.isEmpty ? "/" : address.path) }

        func requireUsualPort() throws(Refusal) {
            if let port = address.port, port != 443, port != 80 { throw .port(port, host: host) }
        }

        /// Parses a time as players do: `171`, `90s`, `1h6m47s`, `1m40`, `01:30`, `1w2d`, with units in any order. More
        /// lenient than `VideoDuration`, since services accept such links.
        ///
        /// - Returns: whole seconds, fractions dropped. nil if the text is invalid or exceeds 64 bits.
        static func time(_ text: String) -> Int64? {
            let units: [String: Int64] = ["w": 604_800, "d": 86_400, "h": 3600, "m": 60, "s": 1]
            var scanner = ByteScanner(text.utf8)
            var total: Int64 = 0
            var clock: [Int64] = []
            var isEmpty = true
            func add(_ count: Int64, _ length: Int64) -> Bool {
                let (seconds, overflow) = count.multipliedReportingOverflow(by: length)
                let (sum, overflow2) = total.addingReportingOverflow(seconds)
                total = sum
                return !overflow && !overflow2
            }
            while !scanner.isAtEnd {
                guard let count = scanner.number(digits: 1...19) else { return nil }
                if scanner.take(UInt8(ascii: ".")), scanner.text(while: ByteScanner.isDigit).isEmpty { return nil }
                if scanner.take(UInt8(ascii: ":")) {
                    guard isEmpty, clock.count < 4, !scanner.isAtEnd else { return nil }
                    clock.append(count)
                    continue
                }
                let unit = scanner.word()
                guard let length = unit.isEmpty ? 1 : units[unit], clock.isEmpty || unit.isEmpty, add(count, length)
                else {
                    return nil
                }
                isEmpty = false
            }
            for (count, length) in zip(clock.reversed(), [60, 3600, 86_400, 604_800] as [Int64]) {
                guard add(count, length) else { return nil }
            }
            return isEmpty ? nil : total
        }
    }
}
