// Parses command line values: search options, time zones, and the format implied by a file name.

import Basics
import HostErrors
import Threads
import VideoServices

extension RunRequest {
    /// Sets a search option from text.
    ///
    /// - Throws: `.usage` if the option is unknown or the value does not fit it.
    public mutating func set(searchOption name: String, to text: String) throws(HostError) {
        guard let option = SearchOption(rawValue: name) else {
            throw .usage(
                "there is no search option '\(name)'; "
                    + Nearest.advice(for: name, among: SearchOption.allCases.map(\.rawValue)))
        }
        switch option.shape {
        case .text: search[option] = .text(text)
        case .flag: search[option] = .bool(true)
        case .choice(let words):
            guard words.contains(text) else {
                throw .usage(
                    "--\(name): '\(text)' is not one of \(words.joined(separator: ", "))"
                        + (Nearest.name(to: text, among: words).map { "; did you mean '\($0)'?" } ?? ""))
            }
            search[option] = .text(text)
        case .time:
            let now = frozenTime ?? Clock.now()
            guard let time = Timestamp.bound(text, now: now, roundsAges: frozenTime == nil) else {
                throw .usage(
                    "--\(name): '\(text)' is no date; write 2024-07-01, 2024-07-01T12:00:00Z, or an age such as 7d, 2w or 3mo"
                )
            }
            search[option] = .integer(time)
        }
    }
}
