// The table of planned calls that `--dry-run` prints: their cost, and what is left of the quota.

import VideoServices

enum PlanTable {
    static func row(_ plan: PlannedCalls, _ service: String) -> [String] {
        let most = plan.count > 1 ? "at most \(plan.count) calls" : plan.count == 1 ? "1 call" : "no call"
        let units = plan.units == 1 || plan.count == 0 ? "" : " of \(plan.units) units"
        let kept = plan.kept == 0 ? "" : plan.kept == 1 ? ", 1 answer is kept" : ", \(plan.kept) answers are kept"
        var left = ""
        if let bucket = plan.bucket {
            left = "bucket \(bucket)"
            if let rest = plan.left, let limit = plan.limit { left += ": \(rest) of \(limit) left today" }
            if plan.count * plan.units > plan.left ?? .max { left += ", not enough" }
        }
        return [service, plan.method, most + units + kept, left, plan.detail]
    }
}
