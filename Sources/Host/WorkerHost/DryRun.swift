// State of `--dry-run`: the calls of a run, each once, their total cost, and what is unknown without making them. A
// reply counts as cached once its call is planned: a second request for it costs nothing.

import Files
import VideoServices

/// The calls that a run would make.
final class DryRun {
    private struct Row {
        let service: String
        var plan: PlannedCalls
    }
    private var rows: [Row] = []
    /// How often each call was already planned.
    private var planned: [String: Int] = [:]
    /// Services without a call budget that the run uses, and whether they are local.
    private var uncounted: [(name: String, isLocal: Bool)] = []
    /// The requests of the run, by service. Pages after the first are part of the first plan.
    private var asked: [(service: String, question: Question)] = []
    /// URLs that plugins would fetch.
    private var addresses: [String] = []
    /// Replies that are not cached. What a script would do with them is unknown.
    private var unknown = 0
    /// Whether the cache is enabled.
    private let keepsAnswers: Bool

    init(keepsAnswers: Bool) { self.keepsAnswers = keepsAnswers }

    func add(_ plans: [PlannedCalls], of service: any VideoService) {
        if plans.isEmpty, !uncounted.contains(where: { $0.name == service.name }) {
            uncounted.append((service.name, service.isLocal))
        }
        for var plan in plans {
            plan.count += plan.again
            let key = "\(service.name) \(plan.method) \(plan.detail)"
            let before = keepsAnswers ? planned[key] : nil
            planned[key] = max(before ?? 0, plan.count)
            if let before {
                guard plan.count > before else { continue }
                plan.count -= before
            }
            rows.append(Row(service: service.name, plan: plan))
        }
    }

    /// A request whose reply has pages.
    enum Question: Equatable {
        case search(SearchQuery)
        case lookUp(LookUp)
    }

    /// Whether this is the first request for it.
    func isNew(_ question: Question, at service: String) -> Bool {
        if asked.contains(where: { $0.service == service && $0.question == question }) { return false }
        asked.append((service, question))
        return true
    }

    func add(address: String) { addresses.append(address) }

    /// Counts a reply that is needed and not cached.
    func missed() { unknown += 1 }

    /// Whether a script may have failed because a reply is missing.
    var lacksAnswers: Bool { unknown > 0 }

    // MARK: Output

    /// - Parameters:
    ///   - notes: what else is unknown.
    ///   - dependsOnAnswers: whether later requests depend on replies.
    func text(notes: [String], dependsOnAnswers: Bool) -> String {
        var table = rows.map { PlanTable.row($0.plan, $0.service) }
        table += addresses.map { ["http", "GET", "1 request", "nobody counts it", $0] }
        if table.count > 1 { table.append(total) }
        var lines = table.isEmpty ? [] : [TextTable.text(table)]
        lines += uncounted.map { service in
            service.isLocal
                ? "\(service.name): no calls, nothing is counted" : "\(service.name): its calls are not counted"
        }
        if lines.isEmpty { lines = ["no calls"] }
        var notes = notes
        if unknown > 0, dependsOnAnswers {
            let answers = unknown == 1 ? "1 answer is" : "\(unknown) answers are"
            notes.insert("\(answers) not kept; what the script asks for with what they would bring", at: 0)
        }
        return (lines + notes.map { "not known: \($0)" }).joined(separator: "\n")
    }

    private var total: [String] {
        var spent: [String: (units: Int, left: Int?)] = [:]
        var order: [String] = []
        var calls = 0
        for row in rows {
            calls += row.plan.count
            guard let bucket = row.plan.bucket else { continue }
            let name = "\(row.service) \(bucket)"
            if spent[name] == nil { order.append(name) }
            spent[name, default: (0, row.plan.left)].units += row.plan.count * row.plan.units
        }
        let sums = order.compactMap { name -> String? in
            guard let (units, left) = spent[name] else { return nil }
            let of = left.map { " of \($0) left" } ?? ""
            return "\(name) \(units)\(of)" + (units > left ?? .max ? ", not enough" : "")
        }
        let requests = addresses.isEmpty ? "" : ", \(addresses.count) requests"
        return ["total", "", "at most \(calls) calls\(requests)", sums.joined(separator: "; ")]
    }
}
