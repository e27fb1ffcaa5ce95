// Why a text was not recognised as a video, channel or list. Facts here, and one sentence each in one place; what the
// text itself said is shown cut short and without control characters, since it may come from anywhere.

extension MediaRef {
    /// Why a text names nothing.
    public enum Refusal: Error, Sendable, Equatable, CustomStringConvertible {
        /// The text is neither a URL nor a bare id.
        case notURL(String)
        /// A URL, but not of the web.
        case scheme(String)
        /// The URL has a user name or password before its host.
        case userInformation(host: String)
        /// A host that is no video service, or whose path is not one of PeerTube's.
        case unknownHost(String)
        /// A port the service does not have.
        case port(Int, host: String)
        /// A YouTube video id of the wrong form.
        case videoID(String)
        /// Another id of the wrong form: what it should be, and what was there.
        case id(String, String)
        /// A page of the service that is not one video, channel or list.
        case nothingNamed(String)
        /// More than three addresses inside each other.
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

        /// At most 60 characters, on one line, with nothing a terminal would act on.
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
