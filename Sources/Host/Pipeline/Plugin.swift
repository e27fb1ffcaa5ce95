// A loaded plugin: its checked declaration, and the functions of its roles. A file that returns nothing is a script,
// and has already run when loading ends.

import Basics
import HostErrors
import LuaAPI
import LuaRuntime
import Packages
import VideoModel

final class Plugin {
    let manifest: PluginManifest
    let context: PluginContext
    let functions: RoleFunctions
    /// The options' values as a table of the plugin's state.
    private(set) var options: LuaReference?
    /// The words of the command line that were not flags.
    private(set) var words: [String] = []

    private init(_ manifest: PluginManifest, _ context: PluginContext, _ functions: RoleFunctions) {
        self.manifest = manifest
        self.context = context
        self.functions = functions
    }

    func has(_ role: PluginManifest.Role) -> Bool { functions[role] != nil }
    func function(_ role: PluginManifest.Role) -> LuaReference? { functions[role] }

    /// Resolves the options from a command line.
    func resolve(_ claim: PluginArguments) throws(HostError) {
        let (values, words) = try claim.resolve(
            manifest.options, hostFlags: context.environment.hostFlags)
        self.words = words
        do throws(LuaError) {
            let stack = context.state.stack
            try stack.push(.record(values.map { .init($0.0, $0.1) }))
            options = stack.reference(at: -1)
            stack.pop()
        } catch { throw context.failure(error) }
    }

    /// Loads a file and checks what it returns.
    ///
    /// - Parameters:
    ///   - claim: the command line arguments. A script runs during loading and needs them.
    ///   - declaring: whether to stop a script before its first side effect.
    static func load(
        _ file: PluginFile, environment: PluginEnvironment, claim: PluginArguments, declaring: Bool
    ) throws(HostError) -> Plugin {
        let context = try PluginContext(
            name: file.name, path: file.path, folder: file.folder, environment: environment)
        context.isDeclaring = declaring
        context.claim = claim
        var manifest = PluginManifest(name: file.name, path: file.path)
        let stack = context.state.stack
        do throws(LuaError) {
            stack.push(try context.load(file.text, name: file.path))
            try stack.call(arguments: 0, results: -1)
        } catch {
            if declaring, case .declaring? = error.cause as? HostError { return try script(manifest, context) }
            throw context.failure(error)
        }
        defer { stack.setTop(0) }
        if stack.count == 0 { return try script(manifest, context) }
        do throws(PluginOption.Problem) {
            let functions = try PluginTable.read(stack, into: &manifest, context)
            context.isDeclaring = false
            context.claim = nil
            return Plugin(manifest, context, functions)
        } catch {
            let position = context.position(of: error.word, in: file.path)
            throw .badPlugin(
                plugin: file.path, position: position, problem: error.text, line: context.line(at: position), hint: nil)
        }
    }

    private static func script(_ manifest: PluginManifest, _ context: PluginContext) throws(HostError) -> Plugin {
        var manifest = manifest
        manifest.isScript = true
        manifest.summary = context.declared.summary
        manifest.options = context.declared.options
        manifest.needs = context.declared.needs.list?.compactMap(\.text) ?? []
        if !context.isDeclaring { try context.claimArguments() }
        return Plugin(manifest, context, RoleFunctions())
    }
}

/// The functions of a plugin's roles. A short list: building a dictionary would cost more than the few lookups of a
/// run.
struct RoleFunctions {
    private var functions: [LuaReference?] = []

    subscript(role: PluginManifest.Role) -> LuaReference? {
        get { functions.isEmpty ? nil : functions[role.index] }
        set {
            if functions.isEmpty {
                functions = [LuaReference?](repeating: nil, count: PluginManifest.Role.allCases.count)
            }
            functions[role.index] = newValue
        }
    }
}

extension PluginManifest.Role {
    fileprivate var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Reads the table a plugin returns.
enum PluginTable {
    private typealias Problem = PluginOption.Problem
    private static let keys = ["summary", "api", "options", "fields", "needs"]

    static func read(
        _ stack: LuaStack, into manifest: inout PluginManifest, _ context: PluginContext
    ) throws(PluginOption.Problem) -> RoleFunctions {
        guard stack.kind(at: 1) == .table else {
            throw Problem(
                "a plugin returns a table of roles, or nothing when it is a script; this returned a \(stack.kind(at: 1).name)"
            )
        }
        var functions = RoleFunctions()
        var declared: [String: FieldValue] = [:]
        var problem: Problem?
        do throws(LuaError) {
            try stack.forEachPair(of: 1) { stack throws(LuaError) in
                guard problem == nil else { return }
                guard let key = stack.kind(at: -2) == .string ? stack.text(at: -2) : nil else {
                    problem = Problem("a plugin's table has names as keys, not positions")
                    return
                }
                if let role = PluginManifest.Role(rawValue: key) {
                    guard stack.kind(at: -1) == .function else {
                        problem = Problem("'\(key)' must be a function, it is a \(stack.kind(at: -1).name)", about: key)
                        return
                    }
                    functions[role] = stack.reference(at: -1)
                } else if keys.contains(key) {
                    declared[key] = try stack.fieldValue(at: stack.count, in: context)
                } else {
                    let roles = PluginManifest.Role.allCases.map(\.rawValue)
                    problem = Problem(
                        "unknown role or key '\(key)'; " + Nearest.advice(for: key, among: roles + keys), about: key)
                }
            }
        } catch { problem = Problem(error.message) }
        if let problem { throw problem }
        manifest.roles = PluginManifest.Role.allCases.filter { functions[$0] != nil }
        if manifest.roles.isEmpty {
            throw Problem(
                "a plugin has at least one role: "
                    + PluginManifest.Role.allCases.map(\.rawValue).joined(separator: ", "))
        }
        try check(declared, &manifest, hostFlags: context.environment.hostFlags)
        return functions
    }

    private static func check(
        _ declared: [String: FieldValue], _ manifest: inout PluginManifest, hostFlags: [String]
    ) throws(PluginOption.Problem) {
        if let api = declared["api"] {
            guard let wanted = api.integer, wanted >= 1 else {
                throw Problem("api is the version of the API it was written for, a whole number from 1")
            }
            if wanted > API.version {
                throw Problem(
                    "it was written for version \(wanted) of the API, and this ythost has \(API.version); update ythost"
                )
            }
        }
        if let summary = declared["summary"] {
            guard let text = summary.text else { throw Problem("summary is a string") }
            manifest.summary = text
        }
        manifest.options = try PluginOption.declarations(declared["options"] ?? .none, hostFlags: hostFlags)
        for name in try names(declared["fields"], "fields") {
            guard let field = VideoField(name: name) else {
                throw Problem(
                    "fields names '\(name)', which no video has; " + Nearest.advice(for: name, among: VideoField.names))
            }
            manifest.fields.append(field)
        }
        manifest.needs = try names(declared["needs"], "needs")
    }

    private static func names(_ value: FieldValue?, _ key: String) throws(PluginOption.Problem) -> [String] {
        guard let value else { return [] }
        guard let items = value.list, items.allSatisfy({ $0.text != nil }) else {
            throw Problem("\(key) is a list of strings, such as {\"duration\"}")
        }
        return items.compactMap(\.text)
    }
}
