// What a stand-in of a service answers, where a test says so.

/// An answer in place of the usual one.
public struct StandInAnswer: Sendable {
    public var status: Int
    public var body: String
    public var headers: [(String, String)]
    public init(_ status: Int, _ body: String, _ headers: [(String, String)] = []) {
        (self.status, self.body, self.headers) = (status, body, headers)
    }
}
