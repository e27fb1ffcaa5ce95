// One plugin's Lua state with the API, and the host's data about it: its name, the text of its files (to quote the line
// of an error), the unknown fields it read, and its run.

import Basics
import Files
import Gate
import HostErrors
import LuaRuntime
import RecordStreams
import Threads
import VideoFormats
import VideoModel

/// The state of one plugin during a run.
package final class PluginContext {

    /// The userdata types of this state, created on first use.
    package final class Types {
        private unowned(unsafe) let context: PluginContext
        fileprivate init(_ context: PluginContext) { self.context = context }

        package private(set) lazy var video = context.state.registerRows(VideoType.make(in: context))
        private(set) lazy var rows = context.state.register(RowsPin.type)
        private(set) lazy var extra = context.state.register(VideoType.extra(in: context))
        package private(set) lazy var channel = context.state.register(VideoType.channel(in: context))
        package private(set) lazy var output = context.state.register(OutputType.make(in: context))
        private(set) lazy var cursor = {
            let cursor = context.state.register(Cursor.type(in: context))
            context.state.declareCursor(cursor, of: video)
            return cursor
        }()
        private(set) lazy var mapper = context.state.register(LuaMapper.type(in: context))
        private(set) lazy var template = context.state.register(LuaTemplate.type(in: context))
        private(set) lazy var errand = context.state.register(PendingRequest.type)
        private(set) lazy var null = context.state.register(NullMarker.type)
        /// Elements of documents.
        private(set) lazy var element = context.state.register(LuaElement.type(in: context))
        private(set) lazy var thumbnail = context.state.register(LuaThumbnail.type(in: context))
    }

    let name: String
    /// The plugin's file, which identifies it to the gate; nil for code from the command line.
    let path: String?
    /// The folder of its modules; nil for code from the command line.
    let folder: String?
    package let state: LuaState
    package let environment: PluginEnvironment
    package let unknowns = MissingFieldTracker()
    /// The command line arguments that a script claims with `yt.options`.
    package var claim: PluginArguments?
    /// Whether the plugin runs only to read its declaration. It may then access nothing outside.
    package var isDeclaring = false
    /// The declarations of a script's `yt.options` and `yt.needs`.
    package var declared = ScriptDeclaration()
    /// An error of an earlier stage, which this plugin cannot swallow.
    package var upstreamFailure: HostError?
    private(set) var sources: [String: [UInt8]] = [:]
    private var preludeParts: [String: LuaReference] = [:]
    private var null: LuaReference?
    /// The cursor that `unreadResults` counts.
    var countedResults: LuaReference?
    /// How rows are read. Mappings are retained, so that their identities stay unique.
    var plans: [PlanKey: (mapping: CompiledMapping, plan: LuaFieldPlan)] = [:]

    /// What expressions need in this state, once there is one.
    package var expressionParts: ExpressionParts?

    package struct ExpressionParts {
        /// The type of rows that are the environment of an expression.
        package let rowType: LuaTypeID<LuaRow<VideoRows>>
        /// Functions for the row that was read last.
        package let functions: [String: LuaReference]

        package init(rowType: LuaTypeID<LuaRow<VideoRows>>, functions: [String: LuaReference]) {
            self.rowType = rowType
            self.functions = functions
        }
    }

    struct PlanKey: Hashable {
        let mapping: ObjectIdentifier
        let isCut: Bool
    }

    package init(name: String, path: String?, folder: String?, environment: PluginEnvironment) throws(HostError) {
        self.name = name
        self.path = path
        self.folder = folder
        self.environment = environment
        let ready = environment.ready?.take(seed: environment.seed)
        if let ready {
            state = ready.state
            state.adopt(environment.budget, frozenTime: environment.frozenTime)
        } else {
            var settings = LuaState.Settings()
            settings.frozenTime = environment.frozenTime
            settings.seed = environment.seed
            do throws(LuaError) {
                state = try LuaState(settings, budget: environment.budget)
            } catch {
                throw .plugin(error, plugin: name, line: nil, hint: nil)
            }
        }
        do throws(LuaError) {
            let prelude = if let ready { ready.prelude } else { try Prelude.compiled(in: state) }
            try install(prelude)
        } catch {
            throw failure(error)
        }
    }

    /// Seconds since the epoch, frozen or real.
    package var now: Int64 { environment.frozenTime ?? Clock.now() }

    /// A point in time that bounds a search.
    func bound(_ text: String) -> FieldValue {
        FieldValue(Timestamp.bound(text, now: now, roundsAges: environment.frozenTime == nil))
    }

    /// Cache of time zone rules by name.
    private var zones: [String: ZoneRules] = [:]

    /// The rules of a zone in the machine's database; nil for UTC. The list of zones is not secret, so no grant is
    /// needed.
    func zone(named name: String) throws(LuaError) -> ZoneRules? {
        if TimeZones.isUTC(name) { return nil }
        if let rules = zones[name] { return rules }
        let reply: GateReply
        do throws(HostError) { reply = try environment.gate.ask(.zone(name)) } catch { throw raised(error) }
        guard case .bytes(let bytes?) = reply, let rules = ZoneRules(tzif: bytes) else {
            throw LuaError("there is no time zone '\(name)'; zones are named as Europe/Berlin or UTC")
        }
        if zones.count >= 32 { zones.removeAll() }
        zones[name] = rules
        return rules
    }

    // MARK: Types

    package private(set) lazy var types = Types(self)

    /// Pushes JSON's null: the same value each time, so that plugins can compare with it.
    func pushNull(on stack: LuaStack) {
        if let null { return stack.push(null) }
        stack.push(NullMarker(), as: types.null)
        null = stack.reference(at: -1)
    }

    func isNull(at index: Int32, of stack: LuaStack) -> Bool { stack.payload(at: index, as: types.null) != nil }

    /// Whether the value has the given host type.
    func isObject(_ owner: APIFunction.Owner, at index: Int32, of stack: LuaStack) -> Bool {
        switch owner {
        case .video: stack.isUserdata(at: index, of: types.video)
        case .output: stack.isUserdata(at: index, of: types.output)
        case .mapper: stack.isUserdata(at: index, of: types.mapper)
        case .template: stack.isUserdata(at: index, of: types.template)
        case .element: stack.isUserdata(at: index, of: types.element)
        case .thumbnail: stack.isUserdata(at: index, of: types.thumbnail)
        // Lists share the methods of results, so any table is accepted.
        case .results: stack.kind(at: index) == .table
        }
    }

    /// All known fields as plain data.
    func plainRecord(_ video: Video) -> FieldValue {
        var members: [FieldValue.Member] = []
        for field in VideoField.allCases where field != .raw {
            let value = field == .channel ? video.channel.value : video[field]
            if !value.isNone, value != .record([]) { members.append(.init(field.name, value)) }
        }
        if !video.extra.isEmpty { members.append(.init("extra", .record(video.extra))) }
        return .record(members)
    }

    // MARK: Prelude and API

    /// A function of the prelude, by its name there.
    package func prelude(_ part: String) -> LuaReference {
        if let reference = preludeParts[part] { return reference }
        state.stack.push()
        defer { state.stack.pop() }
        return state.stack.reference(at: -1)
    }

    /// The declared methods of a type.
    func methods(of owner: APIFunction.Owner) -> [(name: String, body: LuaFunctionBody)] {
        API.methods(of: owner).compactMap { function in bind(function).map { (function.name, $0) } }
    }

    /// The Lua function: checks the arguments, then runs the body. nil when the body is in the prelude.
    func bind(_ function: APIFunction) -> LuaFunctionBody? {
        guard case .swift(let body) = function.body else { return nil }
        let first: Int32 = function.owner == nil ? 1 : 2
        // Unowned without a check, since this runs at every call. It is safe: the closure is reached only through the
        // state, which only the owning context runs.
        return { [unowned(unsafe) self] stack throws(LuaError) in
            var errand: PendingRequest?
            if stack.state.isResumed {
                errand = stack.payload(at: -1, as: types.errand)
                stack.pop()
            }
            try function.check(stack, in: self)
            return try body(APICall(stack: stack, context: self, first: first, errand: errand))
        }
    }

    private func install(_ prelude: LuaReference) throws(LuaError) {
        let stack = state.stack
        stack.push(prelude)
        pushHostTable(stack)
        try stack.call(arguments: 1, results: 1)
        for part in Prelude.parts {
            stack.pushField(part, of: -1)
            preludeParts[part] = stack.reference(at: -1)
            stack.pop()
        }
        stack.pop()
        try API.install(in: self, stack)
    }

    /// Pushes the host functions that the prelude uses.
    private func pushHostTable(_ stack: LuaStack) {
        stack.pushTable()
        stack.push { [unowned self] stack throws(LuaError) in
            let path = stack.text(at: 1) ?? ""
            // Remove the path, argument 1, so that positions match the call itself.
            guard let function = API.named(path) else { return 0 }
            stack.removeFirst()
            try function.check(stack, in: self)
            return 0
        }
        stack.setField("check", of: -2)
        stack.push { [unowned self] stack throws(LuaError) in try enrich(stack) }
        stack.setField("enrich", of: -2)
        stack.push { stack throws(LuaError) in throw LuaError(stack.text(at: 1) ?? "") }
        stack.setField("fail", of: -2)
        stack.push { [unowned self] stack throws(LuaError) in
            guard let record = video(at: 1, of: stack) else {
                stack.push(copyOf: 1)
                return 1
            }
            if let id = record.id {
                stack.push("\(record.provider ?? "")\0\(id)")
            } else {
                try stack.push(record[.url])
            }
            return 1
        }
        stack.setField("key", of: -2)
        stack.push { stack throws(LuaError) in
            let name = stack.text(at: 2) ?? ""
            let known = API.functions.filter { $0.owner == .results }.map(\.name)
            throw LuaError(
                "\(stack.text(at: 1) ?? "") no method '\(name)'; " + Nearest.advice(for: name, among: known))
        }
        stack.setField("no_method", of: -2)
        stack.push { [unowned self] stack throws(LuaError) in
            try pushModule(stack)
            return 1
        }
        stack.setField("module", of: -2)
        stack.push { [unowned self] stack throws(LuaError) in
            stack.push(try state.load(Prelude.rest, name: Prelude.name))
            return 1
        }
        stack.setField("rest", of: -2)
        pushTaskFunctions(stack)
    }

    /// Pushes a function that creates the module named by argument 1.
    private func pushModule(_ stack: LuaStack) throws(LuaError) {
        let name = stack.text(at: 1) ?? ""
        if name == "lpeg" {
            let context = self
            stack.push { [unowned context] stack throws(LuaError) in
                try context.state.pushPatternLibrary(stack)
                return 1
            }
            return
        }
        do throws(HostError) {
            let reply = try environment.gate.ask(.module(name: name, folder: folder))
            guard case .module(let text, let shown) = reply else { return stack.push() }
            let chunk: LuaReference
            do throws(LuaError) { chunk = try load(text, name: shown) } catch {
                throw .plugin(error, plugin: self.name, line: line(at: error.position), hint: nil)
            }
            stack.push(chunk)
        } catch {
            throw raised(error)
        }
    }

    // MARK: Loading, calling, failing

    /// Compiles a file of this plugin, and stores its text for messages.
    package func load(_ text: [UInt8], name: String) throws(LuaError) -> LuaReference {
        sources[name] = text
        return try state.load(text, name: name)
    }

    /// Sets the text to show as the only line of code from the command line.
    package func note(_ text: String, as name: String) { sources[name] = Array(text.utf8) }

    /// Sends a request to the gate. A script that runs only for its declaration stops here.
    func ask(_ request: GateRequest) throws(LuaError) -> GateReply {
        do throws(HostError) {
            // A plugin with roles may log while it is loaded.
            if case .log = request { try claimArguments(ofScript: false) } else { try claimArguments() }
            return try environment.gate.ask(request, for: path)
        } catch {
            throw raised(error)
        }
    }

    /// Must run before any side effect. Stops a script that runs only for its declaration, and throws if it never
    /// claimed its arguments.
    ///
    /// - Parameter ofScript: whether only a script can do this, so that flags with no meaning for scripts are errors.
    package func claimArguments(ofScript: Bool = true) throws(HostError) {
        if isDeclaring { throw .declaring }
        if ofScript, let flags = claim?.notForScripts {
            throw .usage(
                "\(name) is a script and does everything itself: \(flags) would have no effect",
                hint: "a plugin for a pipeline returns a table of roles")
        }
        guard claim?.isTaken == false else { return }
        claim?.isTaken = true
        _ = try claim?.resolve([], hostFlags: environment.hostFlags)
    }

    /// The text of a line of this plugin's code.
    package func line(at position: LuaError.Position?) -> String? {
        guard let position, let text = sources[position.source] else { return nil }
        let lines = text.split(
            separator: UInt8(ascii: "\n"), maxSplits: position.line, omittingEmptySubsequences: false)
        guard position.line >= 1, position.line <= lines.count else { return nil }
        return String(decoding: lines[position.line - 1], as: UTF8.self)
    }

    /// The first place in a file where a name occurs as a whole word, used to find the line of a declaration.
    package func position(of word: String?, in file: String) -> LuaError.Position? {
        guard let word, let text = sources[file] else { return nil }
        let wanted = Array(word.utf8)
        func belongs(_ byte: UInt8) -> Bool {
            let character = Character(UnicodeScalar(byte))
            return byte == UInt8(ascii: "_") || byte < 0x80 && (character.isLetter || character.isNumber)
        }
        for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        where !line.starts(with: Array("--".utf8)) {
            if line.split(whereSeparator: { !belongs($0) }).contains(where: { $0.elementsEqual(wanted) }) {
                return LuaError.Position(source: file, line: index + 1)
            }
        }
        return nil
    }

    /// Converts an error in the plugin, or in the host functions it called.
    package func failure(_ error: LuaError) -> HostError {
        // A plugin of an earlier stage spent the budget, so report that plugin's line.
        if case .budgetSpent(_, _, _?, _)? = upstreamFailure, let upstreamFailure { return upstreamFailure }
        if let spent = spent(error) {
            return .budgetSpent(spent, environment.budgets, position: error.position, line: line(at: error.position))
        }
        if let upstreamFailure { return upstreamFailure }
        if let cause = error.cause as? HostError { return cause }
        return .plugin(error, plugin: name, line: line(at: error.position), hint: hint(for: error))
    }

    /// The exhausted budget that caused an error; nil for other errors.
    private func spent(_ error: LuaError) -> Budgets.Name? {
        switch error.kind {
        case .memory, .budget(.memory): return .memory
        case .budget(.cpu): return .cpu
        case .budget(.wall): return .wall
        case .budget(.instructions): return .instructions
        case .budget(.host):
            guard case .budgetSpent(let name, _, _, _)? = upstreamFailure else { return nil }
            return name
        case .syntax, .runtime: return nil
        }
    }

    /// A host error to raise in Lua. Final errors stop the state, too.
    func raised(_ error: HostError) -> LuaError {
        if error.isFinal {
            upstreamFailure = upstreamFailure ?? error
            environment.budget.expire(.host)
        }
        return LuaError(cause: error)
    }

    private func hint(for error: LuaError) -> String? {
        guard error.message.mentions("nil") else { return nil }
        let compares =
            error.message.hasPrefix("attempt to compare") || error.message.hasPrefix("attempt to perform")
            || error.message.hasPrefix("attempt to concatenate")
        guard compares, let field = unknowns.last else { return nil }
        let fallback = field.shape == .text ? "\"\"" : "0"
        return
            "\(field.name) is unknown for this video; video:get(\"\(field.name)\", \(fallback)) gives \(fallback) then"
    }
}

/// Represents JSON's null in Lua, whose tables cannot hold nil.
struct NullMarker {
    static var type: LuaType<NullMarker> {
        LuaType(
            name: "null", read: { _, _, stack throws(LuaError) in stack.push() },
            unknown: { _, _ in LuaError("yt.json.null has no fields") })
    }
}
