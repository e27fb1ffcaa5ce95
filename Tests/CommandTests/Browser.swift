// A browser that is driven by Judges/browser.py.

import Foundation
import Testing

enum Browser {
    struct Reply: Decodable {
        struct Request: Decodable {
            var url: String
            var referrer: String
        }
        var results: [JSON]
        var console: [String]
        var requests: [Request]
        /// How the command ended that served the page; nil when it did not.
        var code: Int32?
    }

    /// A value that a step gave.
    enum JSON: Decodable, Equatable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
        ExpressibleByBooleanLiteral,
        ExpressibleByArrayLiteral, ExpressibleByNilLiteral
    {
        case null
        case flag(Bool)
        case number(Double)
        case text(String)
        case list([JSON])

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let flag = try? value.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else if let text = try? value.decode(String.self) {
                self = .text(text)
            } else {
                self = .list(try value.decode([JSON].self))
            }
        }
        init(stringLiteral text: String) { self = .text(text) }
        init(integerLiteral number: Int) { self = .number(Double(number)) }
        init(booleanLiteral flag: Bool) { self = .flag(flag) }
        init(arrayLiteral items: JSON...) { self = .list(items) }
        init(nilLiteral: ()) { self = .null }
        var number: Double? { if case .number(let number) = self { number } else { nil } }
    }

    /// Opens a page, and does the steps.
    ///
    /// - Parameters:
    ///   - page: a file, or for `serve` a command in JSON.
    ///   - scheme: `file`, `http` or `serve`.
    ///   - player: a file that stands for the players' pages.
    static func drive(
        _ page: String, _ scheme: String, _ steps: [[String: Any]], width: Int = 1280, height: Int = 900,
        player: String? = nil, environment: [String: String] = [:]
    ) throws -> Reply {
        let scratch = try Scratch()
        let driver = Command.root.appending(path: "Tests/CommandTests/Judges/browser.py").path
        var variables = ["HOME": scratch.folder.path].merging(environment) { _, given in given }
        variables["PLAYER"] = player
        let browser = try Program(
            try #require(Judge.python),
            [
                driver, try #require(Judge.chromium), scratch.path("profile"), page, scheme, "\(width)", "\(height)",
            ],
            environment: variables
        ).run(input: .bytes(try JSONSerialization.data(withJSONObject: steps)), timeout: 60)
        try #require(browser.code == 0, "\(browser.errors)")
        return try JSONDecoder().decode(Reply.self, from: browser.data)
    }
}
