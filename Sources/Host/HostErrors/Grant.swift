// Permissions of a plugin outside its state. A plugin requests them in `needs`. Only the user grants them, on the
// command line or permanently. The gate checks them.

extension String {
    /// Whether this path is equal to or below another, compared by bytes. The system treats a decomposed accent as a
    /// different name, and Swift's own comparison finds no prefix that ends before an accent.
    package func isAt(_ place: String) -> Bool {
        utf8.elementsEqual(place.utf8)
            || utf8.starts(with: (place.utf8.last == UInt8(ascii: "/") ? place : place + "/").utf8)
    }

    /// Whether two names are the same to the system, which compares bytes. To Swift all encodings of é are equal.
    package func isSameName(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

/// One permission.
public enum Grant: Hashable, Sendable, CustomStringConvertible {
    /// Public searches and look-ups, including the services' image hosts.
    case search
    /// The user's private data at a service.
    case account(String)
    /// The user's library.
    case library
    /// A host name at the ports of http and https, or at the port given after it; `*.example.org` for all names below
    /// it. A name never covers private addresses: grant those as `127.0.0.1:8080`.
    case net(String)
    /// A file, or a folder with its contents.
    case read(String)
    case write(String)
    /// An environment variable.
    case env(String)
    /// A program.
    case exec(String)

    /// The kinds, by the word before the colon; true if it takes an argument.
    static let kinds: KeyValuePairs = [
        "search": false, "account": true, "library": false, "net": true, "read": true, "write": true, "env": true,
        "exec": true,
    ]

    /// Parses a grant such as `read:notes.txt`.
    ///
    /// - Throws: `.usage` with the reason.
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

    /// Grants are compared by bytes, as file names are.
    public static func == (one: Grant, other: Grant) -> Bool { one.description.isSameName(as: other.description) }

    public func hash(into hasher: inout Hasher) {
        for byte in description.utf8 { hasher.combine(byte) }
    }

    /// The word before the colon.
    package var kind: Substring { description.prefix { $0 != ":" } }

    package static func isSecret(variable: String) -> Bool { variable.uppercased().hasPrefix("YTHOST") }

    /// Whether a policy with this grant allows the other to be given. Paths must be resolved.
    package func allows(_ other: Grant) -> Bool {
        guard case .net(let given) = self, case .net(let place) = other else { return covers(other) }
        guard let given = HostPattern(given), let place = HostPattern(place) else { return false }
        return given.allows(place)
    }

    /// Whether this grant permits a request for the other. Paths must be resolved.
    package func covers(_ wanted: Grant) -> Bool {
        switch (self, wanted) {
        case (.read(let given), .read(let path)), (.write(let given), .write(let path)):
            return path.isAt(given)
        case (.net(let given), .net(let place)):
            guard let given = HostPattern(given), let place = HostPattern(place) else { return false }
            return given.covers(place)
        default: return self == wanted
        }
    }
}
