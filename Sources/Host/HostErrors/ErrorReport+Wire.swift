// Failures as plain data, for messages between processes. Texts are shortened, by the sender and by the reader.

import Basics
import Sandbox
import VideoServices

extension HostError {
    /// The report of the failure; its kind is `gone` when there is none.
    package var failureWire: FieldValue {
        (report ?? ErrorReport(code: .plugin, kind: "gone", message: "the reader of the output is gone")).wire
    }

    package init(failureWire value: FieldValue) {
        if let report = ErrorReport(wire: value) {
            self = report.kind == "gone" ? .readerGone : .reported(report)
        } else {
            self = .workerDied("its error report is malformed")
        }
    }
}

extension ErrorReport: WireRecord {
    package static var blank: ErrorReport {
        ErrorReport(code: .plugin, kind: "plugin", message: "the worker failed")
    }

    package mutating func code(_ fields: inout WireFields) {
        fields.code("code", &code)
        fields.code("kind", &kind)
        fields.text("message", &message)
        fields.text("file", &file)
        fields.code("line", &line)
        fields.text("sourceLine", &sourceLine)
        fields.text("hint", &hint)
        fields.text("trace", &trace)
        fields.text("source", &source)
        fields.code("status", &status)
        fields.code("retryAt", &retryAt)
        fields.code("words", &words)
    }
}

extension ErrorReport.Code: WireValue {}

extension ServiceErrorDetails: WireRecord {
    private static let mostParameters = 50

    package static var blank: ServiceErrorDetails { ServiceErrorDetails() }

    package mutating func code(_ fields: inout WireFields) {
        invalid.removeLast(max(0, invalid.count - Self.mostParameters))
        fields.code("status", &status)
        fields.text("code", &code)
        fields.text("forUsers", &forUsers)
        fields.text("forDevelopers", &forDevelopers)
        fields.code("invalid", &invalid) { $0.count <= Self.mostParameters }
    }
}

extension ServiceErrorDetails.Parameter: WireRecord {
    package static var blank: Self { Self(field: nil) }

    package mutating func code(_ fields: inout WireFields) {
        fields.text("field", &field)
        fields.text("code", &code)
        fields.text("forUsers", &forUsers)
        fields.text("forDevelopers", &forDevelopers)
    }
}
