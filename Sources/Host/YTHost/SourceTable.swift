// What each source can do, as text: made from the declarations by which services refuse everything else.

import VideoServices

public enum SourceTable {
    /// A row a source: its name and what it is.
    public static func sources(_ services: [any VideoService]) -> [[String]] {
        services.map { [$0.name, $0.summary] }
    }

    /// A row an option, a column a source: `yes`, `some` for values that `values` lists, `-` for what is refused. Below
    /// them a row for each kind of look-up.
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

    /// A row for each option of which a source honours some values only: which.
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
