// Times are epoch seconds and durations are whole seconds. Text is parsed and formatted only at the edges.

import Basics
import LuaRuntime

enum TimeAPI {
    static let functions: [APIFunction] = [
        APIFunction(
            "time.parse", "Reads a date and time: RFC 3339, RFC 822, or a date alone.",
            [APIParameter("text", .text)],
            gives: [APIResult(.integer(), "epoch seconds; nil and a reason when it is no date")],
            example: #"yt.time.parse("2024-07-01T12:00:00Z")"#
        ) { call throws(LuaError) in
            let text = call.text(0) ?? ""
            guard let time = Timestamp.parse(text) else { return call.unreadable("'\(text)' is not a date") }
            return call.gives(time)
        },
        APIFunction(
            "time.format", "Writes a time in UTC, in the time zone of --tz, or in one that is named.",
            [
                APIParameter("time", .integer(), "epoch seconds"),
                APIParameter(
                    "how", .text, "rfc822, rfc3339, date, ago, or a pattern such as %d.%m.%Y; rfc3339 when absent",
                    optional: true),
                APIParameter(
                    "tz", .text, "Europe/Berlin and the like, or UTC; --tz when absent. rfc822 is always in UTC",
                    optional: true),
            ], gives: [APIResult(.text)], example: #"yt.time.format(v.published, "%d.%m.%Y %H:%M", "Europe/Berlin")"#
        ) { call throws(LuaError) in
            let time = call.integer(0) ?? 0
            let environment = call.context.environment
            let zone = try call.isNil(2) ? environment.zone : call.context.zone(named: call.text(2) ?? "")
            switch call.text(1) ?? "rfc3339" {
            case "ago": return call.gives(Timestamp.age(time, now: call.context.now))
            case let how:
                guard let style = Timestamp.Style(named: how) else {
                    throw LuaError(
                        "'\(how)' is no way to write a time; use rfc822, rfc3339, date, ago, or a pattern with % such as %Y-%m-%d"
                    )
                }
                return call.gives(Timestamp.format(time, as: style, in: zone))
            }
        },
        APIFunction(
            "time.now", "The time now; fixed where SOURCE_DATE_EPOCH is set.",
            gives: [APIResult(.integer(), "epoch seconds")], example: "yt.time.now() - 7 * 86400"
        ) { call throws(LuaError) in call.gives(call.context.now) },
        APIFunction(
            "duration.parse", "Reads a length: 1:05:00, PT1H5M, 65m, 1h 5m, 90.",
            [APIParameter("text", .text)],
            gives: [APIResult(.integer(0...Int64.max), "whole seconds; nil and a reason when it is none")],
            example: #"yt.duration.parse("1h30m")"#
        ) { call throws(LuaError) in
            let text = call.text(0) ?? ""
            guard let seconds = VideoDuration.parse(text) else { return call.unreadable("'\(text)' is not a duration") }
            return call.gives(seconds)
        },
        APIFunction(
            "duration.format", "Writes a length as 0:05, 12:34 or 1:05:00.",
            [APIParameter("seconds", .integer(0...Int64.max))], gives: [APIResult(.text)],
            example: "yt.duration.format(v.duration)"
        ) { call throws(LuaError) in call.gives(VideoDuration.format(call.integer(0) ?? 0)) },
    ]
}

extension Timestamp.Style {
    /// The style for a name, or for a pattern that contains `%`.
    package init?(named name: String) {
        switch name {
        case "rfc822": self = .rfc822
        case "rfc3339": self = .rfc3339
        case "date": self = .date
        default:
            guard name.contains("%") else { return nil }
            self = .strftime(name)
        }
    }
}
