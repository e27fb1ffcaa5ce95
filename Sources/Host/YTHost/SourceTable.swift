// Tables of what each source supports, from the declarations that services check options against.

import VideoServices

public enum SourceTable {
    /// One row per source: its name and summary.
    public static func sources(_ services: [any VideoService]) -> [[String]] {
        services.map { [$0.name, $0.summary] }
    }

    /// One row per option and one column per source: `yes`, `some` when only the values in `values` are supported, `-`
    /// when the option is refused. One row per kind of look-up follows.
    public static func options(_ services: [any VideoService]) -> [[String]] {
        [["OPTION"] + services.map(\.name)]
            + SearchOption.allCases.map { option in
                ["--" + option.rawValue]
                    + services.map { service in
                        guard service.honoured.contains(option) else { return "-" }
                        return service.honouredValues[option] == nil ? "yes" : "some"
                    }
            }
            + LookUp.Kind.allCases.map { kind in
                ["look up \(kind.rawValue)"] + services.map { $0.lookUps.contains(kind) ? "yes" : "-" }
            }
    }

    /// One row per option of which a source supports only some values, with those values.
    public static func values(_ services: [any VideoService]) -> [[String]] {
        services.flatMap { service in
            let values = service.honouredValues
            return SearchOption.allCases.compactMap { option -> [String]? in
                guard let possible = values[option] else { return nil }
                return [service.name, "--\(option.rawValue) \(possible.joined(separator: "|"))"]
            }
        }
    }
}
