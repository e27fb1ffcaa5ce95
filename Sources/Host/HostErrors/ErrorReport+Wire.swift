// Encodes failures as plain data for messages between processes.

import Basics
import VideoServices

extension String {
    /// Maximum bytes of a text for the user.
    private static let longestText = 32 << 10

    /// The text, truncated if it exceeds the limit.
    package var cut: String {
        guard utf8.count > Self.longestText else { return self }
        return String(decoding: utf8.prefix(Self.longestText), as: UTF8.self) + "…"
    }
}

extension HostError {
    /// The failure as an encoded report.
    package var failureWire: FieldValue {
        (report ?? ErrorReport(code: .plugin, kind: "gone", message: "the reader of the output is gone")).wire
    }

    package init(failureWire value: FieldValue) {
        self = value["kind"].text == "gone" ? .readerGone : .reported(ErrorReport(wire: value))
    }
}

extension ErrorReport {
    /// All facts, for a process that shows or raises the error.
    package var wire: FieldValue {
        .record([
            .init("exit", .integer(Int64(code.rawValue))), .init("kind", .text(kind)),
            .init("message", .text(message.cut)), .init("file", FieldValue(file?.cut)),
            .init("line", FieldValue(line.map(Int64.init))), .init("source_line", FieldValue(sourceLine?.cut)),
            .init("hint", FieldValue(hint?.cut)), .init("trace", .list(trace.map { .text($0.cut) })),
            .init("source", FieldValue(source?.cut)), .init("status", FieldValue(status.map(Int64.init))),
            .init("retry_at", FieldValue(retryAt)), .init("words", words?.wire ?? .none),
        ])
    }

    package init(wire value: FieldValue) {
        self.init(
            code: value["exit"].integer.flatMap { Code(rawValue: Int32(truncatingIfNeeded: $0)) } ?? .plugin,
            kind: value["kind"].text ?? "plugin", message: value["message"].text ?? "the worker failed",
            file: value["file"].text, line: value["line"].integer.map(Int.init),
            sourceLine: value["source_line"].text, hint: value["hint"].text,
            trace: value["trace"].list?.compactMap(\.text) ?? [], source: value["source"].text,
            status: value["status"].integer.map { Int(truncatingIfNeeded: $0) }, retryAt: value["retry_at"].integer,
            words: ServiceErrorDetails(wire: value["words"]))
    }
}

extension ServiceErrorDetails {
    private static let mostParameters = 50

    fileprivate var wire: FieldValue {
        .record([
            .init("status", FieldValue(status.map(Int64.init))), .init("code", FieldValue(code?.cut)),
            .init("users", FieldValue(forUsers?.cut)), .init("developers", FieldValue(forDevelopers?.cut)),
            .init(
                "invalid",
                .list(
                    invalid.prefix(Self.mostParameters).map { one in
                        .list(
                            [one.field, one.code, one.forUsers, one.forDevelopers].map { FieldValue($0?.cut) })
                    })),
        ])
    }

    fileprivate init?(wire value: FieldValue) {
        guard value.members != nil else { return nil }
        self.init(
            status: value["status"].integer.map { Int(truncatingIfNeeded: $0) }, code: value["code"].text,
            forUsers: value["users"].text, forDevelopers: value["developers"].text,
            invalid: (value["invalid"].list ?? []).compactMap { one in
                guard let texts = one.list, texts.count == 4 else { return nil }
                return Parameter(
                    field: texts[0].text, code: texts[1].text, forUsers: texts[2].text, forDevelopers: texts[3].text)
            })
    }
}
