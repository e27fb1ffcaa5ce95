// What `--dry-run` says: the calls a run would make, what they cost, and what is left.

import VideoServices

enum PlanTable {
    static func text(_ plans: [PlannedCalls], of service: any VideoService) -> String {
        guard !plans.isEmpty else { return "\(service.name): no calls, nothing is counted" }
        return TextTable.text(plans.map { row($0, service.name) })
    }

    private static func row(_ plan: PlannedCalls, _ service: String) -> [String] {
        let most = plan.count > 1 ? "at most \(plan.count) calls" : plan.count == 1 ? "1 call" : "no call"
        let kept = plan.kept == 0 ? "" : plan.kept == 1 ? ", 1 answer is kept" : ", \(plan.kept) answers are kept"
        var left = ""
        if let bucket = plan.bucket {
            left = "bucket \(bucket)"
            if let rest = plan.left, let limit = plan.limit { left += ": \(rest) of \(limit) left today" }
            if plan.count > plan.left ?? .max { left += ", not enough" }
        }
        return [service, plan.method, most + kept, left, plan.detail]
    }
}
