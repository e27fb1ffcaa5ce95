// Documentation generated from the declarations: help text, the reference page, the editor stub, and the golden that
// guards version 1 against changes.

import Files
import HostErrors
import VideoModel

public enum APIReference {
    // MARK: help

    /// Text for `ythost help api [NAME]`.
    public static func help(_ name: String?) throws(HostError) -> String {
        guard let name else {
            return API.groups.map { group in
                group.title + "\n" + TextTable.text(group.functions.map { ["  " + $0.displayName, $0.summary] })
            }
            .joined(separator: "\n\n") + "\n\n`ythost help api NAME` tells more, such as: ythost help api search"
        }
        let bare = name.hasPrefix("yt.") ? String(name.dropFirst(3)) : name
        let found = API.functions.filter {
            [$0.path, $0.displayName].contains(bare) || $0.path.lowercased() == bare.lowercased()
        }
        guard !found.isEmpty else {
            let advice = Nearest.advice(for: bare, among: API.functions.map(\.path))
            throw .usage(
                "the API has no '\(name)'" + (advice.hasPrefix("did") ? "; \(advice)" : ""),
                hint: "`ythost help api` lists what there is")
        }
        return found.map(entry).joined(separator: "\n\n")
    }

    private static func entry(_ function: APIFunction) -> String {
        var text = "\(signature(function))\n\n\(function.summary)"
        var rows: [[String]] = []
        for parameter in function.parameters {
            rows.append(["  " + parameter.name + (parameter.isOptional ? "?" : ""), describe(parameter)])
            if case .options(let members) = parameter.type {
                rows += members.map { ["    " + $0.name + ($0.isOptional ? "?" : ""), describe($0)] }
            }
        }
        if !rows.isEmpty { text += "\n\n" + TextTable.text(rows) }
        for result in function.results {
            text += "\n\ngives \(result.type.name)" + (result.summary.isEmpty ? "" : ": \(result.summary)")
        }
        if let grant = function.grant { text += "\n\nneeds the grant '\(grant.rawValue)'" }
        return text + "\n\nsince API \(function.since)\n\n  \(function.example)"
    }

    private static func describe(_ parameter: APIParameter) -> String {
        parameter.type.name + (parameter.summary.isEmpty ? "" : ": \(parameter.summary)")
    }

    private static func signature(_ function: APIFunction) -> String {
        let parameters = function.parameters.map {
            $0.isVariadic ? "\($0.name)…" : $0.isOptional ? "\($0.name)?" : $0.name
        }
        return "\(function.displayName)(\(parameters.joined(separator: ", ")))"
    }

    // MARK: page

    /// The reference page, in Markdown.
    public static var page: String {
        var lines = [
            "# The `yt` API, version \(API.version)", "",
            "Made from the declarations in `Sources/Host/LuaAPI`; a test keeps it current. Data that cannot be read gives nil and a",
            "reason; a call with wrong arguments raises an error; trouble outside raises an error object with the fields `kind`,",
            "`source`, `status`, `message` and `retry_at`; and with what a service said itself: `code`, `user_message`,",
            "`developer_message` and `invalid_parameters` (a list of tables with `field`, `code` and both messages).",
        ]
        for group in API.groups {
            lines += ["", "## \(group.title)"]
            for function in group.functions { lines += ["", "### `\(signature(function))`", ""] + section(function) }
        }
        lines += [
            "", "## Fields of a video", "", "Unknown is nil. A misspelt name is an error.", "",
            "| field | type | meaning |", "|---|---|---|",
        ]
        for field in VideoField.allCases {
            lines.append("| `\(field.name)` | \(describe(field.shape)) | \(field.summary) |")
        }
        lines.append("| `extra` | table | plain data of your own, by name; written to JSON Lines |")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func section(_ function: APIFunction) -> [String] {
        var lines = [function.summary]
        var rows: [String] = []
        for parameter in function.parameters {
            rows.append(row(parameter, ""))
            if case .options(let members) = parameter.type { rows += members.map { row($0, "· ") } }
        }
        if !rows.isEmpty { lines += ["", "| argument | type | meaning |", "|---|---|---|"] + rows }
        let results = function.results.map { $0.type.name + ($0.summary.isEmpty ? "" : " (\($0.summary))") }
        if !results.isEmpty { lines += ["", "Gives " + results.joined(separator: ", ") + "."] }
        if let grant = function.grant { lines += ["", "Needs the grant `\(grant.rawValue)`."] }
        return lines + ["", "```lua", function.example, "```"]
    }

    private static func row(_ parameter: APIParameter, _ indent: String) -> String {
        let type = parameter.type.name.replacingPipes
        return
            "| \(indent)`\(parameter.name)`\(parameter.isOptional ? " (optional)" : "") | \(type) | \(parameter.summary.replacingPipes) |"
    }

    private static func describe(_ shape: VideoField.Shape) -> String {
        switch shape {
        case .text: "string"
        case .count: "integer"
        case .seconds: "integer, seconds"
        case .time: "integer, epoch seconds"
        case .number: "number"
        case .flag: "boolean"
        case .texts: "list of strings"
        case .channel: "channel"
        case .thumbnails, .regions, .raw: "table"
        case .origins: "list of tables"
        case .word(let words): words.joined(separator: ", ")
        }
    }

    // MARK: stub

    /// The editor stub: LuaLS annotations without code.
    public static var stub: String {
        var lines = [
            "---@meta",
            "-- The yt API of ythost, version \(API.version), for editors. Made from the declarations in Sources/Host/LuaAPI.",
            "", "---@class Video",
        ]
        for field in VideoField.allCases {
            lines.append("---@field \(field.name) \(annotation(field.shape)) \(field.summary)")
        }
        lines += ["---@field extra table plain data of your own", "local Video = {}", ""]
        lines += ["---@class Channel", "---@field id string?", "---@field title string?", "---@field url string?", ""]
        lines += [
            "---@class Results", "---@field info table how the results came about", "---@overload fun(): any",
            "local Results = {}", "",
        ]
        lines += [
            "---@class Out", "---@field columns integer? columns lines may have; nil for any",
            "---@field color boolean whether colours are wanted",
            "---@field links boolean whether out:link makes links; it writes text alone where not",
            "---@field terminal boolean whether a person is looking", "local Out = {}", "",
        ]
        lines += [
            "---@class Mapper", "---@overload fun(json: string, options?: table): Results", "local Mapper = {}", "",
            "---@class Template", "---@overload fun(values?: table|Video, more?: table): string", "local Template = {}",
            "",
            "---@class Element", "---@field name string # without its prefix", "---@field prefix string|nil",
            "---@field namespace string|nil", "---@field attributes table<string, string>", "---@field line integer",
            "---@field column integer", "---@field parent Element|nil", "local Element = {}", "",
            "---@class Thumbnail", "---@field name string", "---@field url string", "---@field width integer|nil",
            "---@field height integer|nil", "---@field kind string|nil # once it was fetched", "local Thumbnail = {}",
            "",
        ]
        lines += ["yt = { api = \(API.version) }"]
        let groups = Set(
            API.functions.filter { $0.owner == nil && $0.path.contains(".") }.map { $0.path.prefix { $0 != "." } })
        for group in groups.sorted() { lines.append("yt.\(group) = {}") }
        lines += ["", "yt.json.null = nil ---@type any stands for JSON's null"]
        for function in API.functions { lines += [""] + stub(function) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func stub(_ function: APIFunction) -> [String] {
        var lines = ["--- \(function.summary)"]
        for parameter in function.parameters {
            let name = parameter.isVariadic ? "..." : parameter.name + (parameter.isOptional ? "?" : "")
            lines.append(
                "---@param \(name) \(parameter.type.annotation)"
                    + (parameter.summary.isEmpty ? "" : " \(parameter.summary)"))
        }
        for result in function.results {
            lines.append(
                "---@return \(result.type.annotation)" + (result.summary.isEmpty ? "" : " # \(result.summary)"))
        }
        let names = function.parameters.map { $0.isVariadic ? "..." : $0.name }.joined(separator: ", ")
        let name = function.owner == nil ? "yt." + function.path : function.path
        return lines + ["function \(name)(\(names)) end"]
    }

    private static func annotation(_ shape: VideoField.Shape) -> String {
        switch shape {
        case .text: "string?"
        case .count, .seconds, .time: "integer?"
        case .number: "number?"
        case .flag: "boolean?"
        case .texts: "string[]?"
        case .channel: "Channel"
        case .thumbnails: "table<string, {url: string, width?: integer, height?: integer}>?"
        case .regions: "{allowed?: string[], blocked?: string[]}?"
        case .origins: "{source: string?, query: string?}[]?"
        case .raw: "table?"
        case .word(let words): words.map { "\"\($0)\"" }.joined(separator: "|") + "|nil"
        }
    }

    // MARK: golden

    /// One line for each guarantee. Adding lines is allowed; removing or changing one breaks plugins.
    public static var golden: [String] {
        var lines: [String] = []
        for function in API.functions {
            lines.append("\(function.displayName) since \(function.since)")
            for (index, parameter) in function.parameters.enumerated() {
                let name = "\(function.displayName) argument \(index + 1) \(parameter.name)"
                lines.append("\(name): \(parameter.type.annotation)\(parameter.isOptional ? " optional" : "")")
                guard case .options(let members) = parameter.type else { continue }
                lines.removeLast()
                lines.append("\(name): options\(parameter.isOptional ? " optional" : "")")
                lines += members.map { "\(name).\($0.name): \($0.type.annotation)\($0.isOptional ? " optional" : "")" }
            }
            for (index, result) in function.results.enumerated() {
                lines.append("\(function.displayName) result \(index + 1): \(result.type.annotation)")
            }
        }
        lines += VideoField.allCases.map { "video.\($0.name): \(annotation($0.shape))" }
        return lines.sorted()
    }
}

extension String {
    fileprivate var replacingPipes: String {
        split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
