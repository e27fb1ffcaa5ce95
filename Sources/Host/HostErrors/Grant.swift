// What a plugin may do outside its state. A plugin asks in its `needs`; only the person who runs it gives, on the command
// line or for good, and the gate checks.

extension String {
    /// Whether this path is that one or below it, byte by byte: to the system a letter with its accent apart is another
    /// name, and Swift's own comparing finds no prefix that ends before an accent.
    package func isAt(_ place: String) -> Bool {
        utf8.elementsEqual(place.utf8)
            || utf8.starts(with: (place.utf8.last == UInt8(ascii: "/") ? place : place + "/").utf8)
    }
}

/// One permission.
public enum Grant: Hashable, Sendable, CustomStringConvertible {
    /// Public searches and look-ups, their image hosts included.
    case search
    /// The user's own things at a service.
    case account(String)
    /// The user's library.
    case library
    /// A host by name at the ports of http and https, or at another that is written behind it; `*.example.org` for all
    /// names below it. A name never covers private addresses: `127.0.0.1:8080` names one.
    case net(String)
    /// A file, or a folder and all in it.
    case read(String)
    case write(String)
    /// An environment variable.
    case env(String)
    /// A program.
    case exec(String)

    /// The kinds, by the word before the colon; true when something stands behind it.
    static let kinds: KeyValuePairs = [
        "search": false, "account": true, "library": false, "net": true, "read": true, "write": true, "env": true,
        "exec": true,
    ]

    /// Reads `read:notes.txt` and the like.
    ///
    /// - Throws: `.usage` saying what is wrong.
    public init(_ text: String) throws(HostError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let kind = parts[0]
        guard let takesValue = Self.kinds.first(where: { $0.key == kind })?.value else {
            throw .usage("there is no grant '\(kind)'; " + Nearest.advice(for: kind, among: Self.kinds.map(\.key)))
        }
        let value = parts.count == 2 ? parts[1] : ""
        guard takesValue == !value.isEmpty else {
            throw .usage(
                takesValue
                    ? "the grant '\(kind)' is written \(kind):SOMETHING" : "the grant '\(kind)' takes nothing behind it"
            )
        }
        switch kind {
        case "search": self = .search
        case "account": self = .account(value)
        case "library": self = .library
        case "net":
            guard let place = HostPattern(value), !place.isDigits || place.port != nil,
                !place.isBelow || !place.isDigits
            else {
                throw .usage(
                    "the grant '\(text)' names no place",
                    hint: "net:example.org, net:*.example.org for all below it, net:127.0.0.1:8080 for an address")
            }
            self = .net(place.text)
        case "read": self = .read(value)
        case "write": self = .write(value)
        case "env":
            guard !Self.isSecret(variable: value) else {
                throw .usage("env:\(value) cannot be granted", hint: "ythost's own variables hold keys")
            }
            self = .env(value)
        default: self = .exec(value)
        }
    }

    public var description: String {
        switch self {
        case .search: "search"
        case .account(let service): "account:\(service)"
        case .library: "library"
        case .net(let host): "net:\(host)"
        case .read(let path): "read:\(path)"
        case .write(let path): "write:\(path)"
        case .env(let name): "env:\(name)"
        case .exec(let name): "exec:\(name)"
        }
    }

    /// The word before the colon.
    package var kind: Substring { description.prefix { $0 != ":" } }

    package static func isSecret(variable: String) -> Bool { variable.uppercased().hasPrefix("YTHOST") }

    /// Whether having this grant allows what that one names. Paths are resolved ones.
    package func covers(_ wanted: Grant) -> Bool {
        switch (self, wanted) {
        case (.read(let given), .read(let path)), (.write(let given), .write(let path)):
            return path.isAt(given)
        case (.net(let given), .net(let place)):
            guard let given = HostPattern(given), let place = HostPattern(place) else { return false }
            return given.covers(place)
        // Bytes, as the system has names: Swift takes é for the same however it is written.
        default: return description.utf8.elementsEqual(wanted.description.utf8)
        }
    }
}
