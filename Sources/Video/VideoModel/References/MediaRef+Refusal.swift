// Errors of parsing a media reference, and their messages. Quoted input is truncated and stripped of control
// characters, since it is untrusted.

extension MediaRef {
    /// Why a text is not a media reference.
    public enum Refusal: Error, Sendable, Equatable, CustomStringConvertible {
        /// The text is neither a URL nor a bare id.
        case notURL(String)
        /// A URL with another scheme than http or https.
        case scheme(String)
        /// The URL has a user name or password before its host.
        case userInformation(host: String)
        /// The host is not a known video service, and the path is not PeerTube's.
        case unknownHost(String)
        /// The service does not use this port.
        case port(Int, host: String)
        /// Not a valid YouTube video id.
        case videoID(String)
        /// Not a valid id: the expected kind, and the text found.
        case id(String, String)
        /// A page of the service that is not a video, channel or list.
        case nothingNamed(String)
        /// Too many URLs nested inside each other.
        case nested
        case tooLong

        public var description: String {
            switch self {
            case .notURL(""):
                "nothing was given: expected a URL or an id"
            case .notURL(let text):
                "not a URL and not an id: \(Self.shown(text))"
            case .scheme(let scheme):
                "only http and https URLs name videos, this one begins with \(Self.shown(scheme)):"
            case .userInformation(let host):
                "the URL has user information before the host \(Self.shown(host)), which no video service uses"
            case .unknownHost(let host):
                "host \(Self.shown(host)) is not a known video service"
            case .port(let port, let host):
                "\(Self.shown(host)) has no port \(port)"
            case .videoID(let id):
                id.utf8.count == 11
                    ? "YouTube ids are letters, digits, - and _, this is not: \(Self.shown(id))"
                    : "YouTube ids have 11 characters, this has \(id.count): \(Self.shown(id))"
            case .id(let what, let text):
                "not \(what): \(Self.shown(text))"
            case .nothingNamed(let page):
                "\(Self.shown(page)) names no video, channel or list"
            case .nested:
                "the URL has more than \(MediaRef.maximumDepth) others inside each other"
            case .tooLong:
                "the URL is longer than \(MediaRef.maximumLength) bytes"
            }
        }

        /// At most 60 characters, on one line, without control characters.
        private static func shown(_ text: String) -> String {
            var scalars = String.UnicodeScalarView()
            for scalar in text.unicodeScalars.prefix(60) {
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: scalars.append("\u{FFFD}")
                default: scalars.append(scalar)
                }
            }
            return String(scalars) + (text.unicodeScalars.count > 60 ? "…" : "")
        }
    }
}
