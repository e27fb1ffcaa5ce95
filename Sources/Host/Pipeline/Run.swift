// One run, a straight line:
//
//     request -> plugins -> source -> (map | filter | score | rank)* -> take -> format -> output -> written
//
// `go` and the functions below it are in that order.

import Basics
import Files
import Gate
import HostErrors
import LuaAPI
import LuaRuntime
import Packages
import RecordStreams
import VideoModel
import VideoServices

/// One run.
package final class Run {
    let request: RunRequest
    let gate: any Gate
    let budget: LuaBudget
    let output: OutputBuffer
    private(set) var plugins: [Plugin] = []
    let lookUps: LookUps
    /// Steps between source and output, in command line order.
    private var steps: [Step] = []
    private var inline: PluginContext?
    var words: [String] = []
    private var expressions: [Expression] = []
    private var template: PrintTemplate?
    /// The search that supplies the records, if there is one.
    private(set) var search: SearchStream?

    private enum Step {
        case plugin(Plugin)
        case keep(Expression)
        case order(ExpressionOrder)

        var isSort: Bool {
            switch self {
            case .plugin(let plugin): plugin.has(.score) || plugin.has(.rank)
            case .keep: false
            case .order: true
            }
        }

        /// Whether records may be missing after it, or be in another order.
        var drops: Bool {
            switch self {
            case .plugin(let plugin): plugin.has(.filter) || plugin.has(.rank)
            case .keep: true
            case .order: false
            }
        }
    }

    private let ready: PrewarmedState?

    /// - Parameters:
    ///   - isAlone: the process runs nothing else, so signal timers may enforce the time limits.
    ///   - ready: a prewarmed state for the first plugin, if one exists.
    package init(_ request: RunRequest, gate: any Gate, isAlone: Bool, ready: PrewarmedState? = nil) throws(HostError) {
        self.request = request
        self.ready = ready
        self.gate = gate
        lookUps = LookUps(gate: gate, includesRead: request.looksUp)
        let budgets = request.budgets
        do throws(LuaError) { budget = try LuaBudget() } catch { throw .budgetSpent(.memory, budgets) }
        budget.limit(memory: budgets.memory)
        if isAlone {
            budget.limit(instructions: budgets.instructions)
            budget.limitBySignals(cpu: budgets.cpu, wall: budgets.wall)
        } else {
            budget.limit(cpu: budgets.cpu, wall: budgets.wall, instructions: budgets.instructions)
        }
        output = OutputBuffer(
            target: .init(
                columns: request.columns, isTerminal: request.isTerminal, allowsColor: request.allowsColor,
                linkMark: request.linkMark),
            budgets: budgets, gate: gate, isMuted: request.isDry)
    }

    func log(_ level: LogLevel, _ text: String) { _ = try? gate.ask(.log(level, text)) }

    /// Loads a plugin only to read its declaration.
    package func declare(_ name: String) throws(HostError) -> PluginManifest {
        try Plugin.load(
            try file(name), environment: environment, claim: PluginArguments(plugin: name), declaring: true
        ).manifest
    }

    private func file(_ name: String) throws(HostError) -> PluginFile {
        guard case .plugin(let file) = try gate.ask(.plugin(name: name)) else {
            throw .pluginNotFound(name: name, looked: [])
        }
        return file
    }

    var environment: PluginEnvironment {
        .init(
            gate: gate, output: output, lookUps: lookUps, frozenTime: request.frozenTime, seed: request.seed,
            defaultLimit: request.fetch, source: request.source, zone: request.zone, budget: budget,
            budgets: request.budgets, ready: ready, hostFlags: RunArguments.names)
    }

    package func go(_ sink: any OutputSink) throws(HostError) -> RunReport {
        var report = RunReport()
        do throws(HostError) {
            if try loadPlugins() {
                report.isScript = true
                if request.isDry { try tellPlan([], dependsOnAnswers: true) }
                try finish(sink)
                return report
            }
        } catch {
            if request.isDry, try tellPlan(after: error) {
                try finish(sink)
                return report
            }
            // Show what a script printed before it failed. A file is not committed.
            try? output.flush()
            throw error
        }
        try loadFormat()
        let stream = try pipeline()
        if request.isDry {
            try plan(stream)
            try finish(sink)
            return report
        }
        let counted = CountedStream(
            stream, keepsRecords: plugins.contains { $0.has(.written) }, lookUps: lookUps)
        do throws(HostError) { try write(counted) } catch {
            // A file is not committed. Other outputs show the records written before the failure.
            if counted.isPartial(error) { try? output.flush() }
            if case .nothingMatched = error { reportUnknowns(counted) }
            throw error
        }
        report.written = counted.count
        reportUnknowns(counted)
        if counted.isRead, counted.count == 0, request.failsWhenEmpty { throw .nothingMatched }
        try finish(sink)
        if plugins.contains(where: { $0.has(.written) }) {
            try sink.waitUntilDurable()
            try announce(counted.kept)
        }
        return report
    }

    // MARK: plugins

    /// Loads everything the request names. Returns true if that was a script, which has then run.
    private func loadPlugins() throws(HostError) -> Bool {
        if let name = request.plugin {
            let claim = PluginArguments(
                plugin: name, tokens: request.arguments, notForScripts: request.flagsNotForScripts)
            let plugin = try load(name, claim)
            if plugin.manifest.isScript {
                guard request.stages.isEmpty, request.inputs.isEmpty, request.origins.isEmpty,
                    request.template == nil
                else {
                    throw .usage(
                        "\(name) is a script and reads its own records: stages and inputs do not go with it",
                        hint: "a plugin for a pipeline returns a table of roles")
                }
                return true
            }
            words = plugin.words
            steps.append(.plugin(plugin))
        } else {
            words = try PluginArguments(plugin: "ythost", tokens: request.arguments)
                .resolve([], hostFlags: RunArguments.names).words
        }
        for stage in request.stages {
            switch stage {
            case .plugin(let name, let settings):
                let plugin = try load(name, PluginArguments(plugin: name, settings: settings))
                if plugin.manifest.isScript {
                    throw .badPlugin(
                        plugin: plugin.manifest.path, position: nil, problem: "it is a script, not a plugin with roles",
                        hint: "run it alone: ythost run \(name)")
                }
                steps.append(.plugin(plugin))
            case .keep(let text): steps.append(.keep(try expression(text, "--where")))
            case .order(let text): steps.append(.order(try order(text)))
            }
        }
        return false
    }

    private func load(_ name: String, _ claim: PluginArguments) throws(HostError) -> Plugin {
        let plugin = try Plugin.load(
            try file(name), environment: environment, claim: claim, declaring: false)
        if !plugin.manifest.isScript { try plugin.resolve(claim) }
        plugins.append(plugin)
        return plugin
    }

    private func expression(_ text: String, _ flag: String) throws(HostError) -> Expression {
        let made = try Expression(text, flag: flag, in: try commandLine(flag))
        expressions.append(made)
        return made
    }

    private func order(_ text: String) throws(HostError) -> ExpressionOrder {
        let context = try commandLine("--by")
        var keys: [(expression: Expression, isReversed: Bool)] = []
        for key in ExpressionText(text).keys {
            let made = try Expression(key.text, flag: "--by", in: context)
            expressions.append(made)
            keys.append((made, key.isReversed))
        }
        return ExpressionOrder(keys)
    }

    /// Makes a Lua state for code from the command line. Each expression has its own, so that it counts its own unknown
    /// fields.
    private func commandLine(_ flag: String) throws(HostError) -> PluginContext {
        try PluginContext(name: flag, path: nil, folder: nil, environment: environment)
    }

    // MARK: source to take

    private func pipeline() throws(HostError) -> any RecordStream {
        var stream = try source()
        lookUps.hints = hints
        if isReadWhole, let search { lookUps.willAsk = { search.lookAhead(isNeeded: true) } }
        // `play` drops records that cannot be played, so `take` must not count them here.
        let take = request.product.isPlayed ? nil : request.take
        let lastSort = steps.lastIndex { $0.isSort }
        for (index, step) in steps.enumerated() {
            let most = index == lastSort && !steps[(index + 1)...].contains(where: \.drops) ? take : nil
            switch step {
            case .plugin(let plugin):
                if let map = plugin.function(.map) { stream = MapStage(stream, plugin, map) }
                if let filter = plugin.function(.filter) { stream = FilterStage(stream, plugin, filter) }
                if let score = plugin.function(.score) {
                    let most = plugin.has(.rank) ? nil : most
                    stream = SortStage(stream, by: ScoreOrder(plugin, score), most: most) { [unowned self] count in
                        log(.warning, "\(plugin.manifest.name) gave no score to any of \(Self.videos(count))")
                    }
                }
                if let rank = plugin.function(.rank) { stream = RankStage(stream, RankStage.ranked(plugin, rank)) }
            case .keep(let expression): stream = ExpressionFilter(stream, expression)
            case .order(let order):
                stream = SortStage(stream, by: order, most: most) { [unowned self] count in
                    log(.warning, "--by has no value for any of \(Self.videos(count))")
                }
            }
        }
        if let take { stream = TakeStage(stream, take) }
        return stream
    }

    static func videos(_ count: Int) -> String { count == 1 ? "1 video" : "\(count) videos" }

    /// The fields that plugins, expressions and the template say they read.
    var hints: VideoFieldSet {
        var fields = template?.fields ?? []
        for plugin in plugins { fields.formUnion(VideoFieldSet(plugin.manifest.fields)) }
        for expression in expressions { fields.formUnion(expression.fields) }
        return fields
    }

    /// Whether the run reads the search to its last record, unless a plugin stops by itself.
    private var isReadWhole: Bool {
        !request.product.isPlayed && (request.take == nil || steps.contains(where: \.isSort))
    }

    private func source() throws(HostError) -> any RecordStream {
        let query = words.joined(separator: " ")
        let sources = plugins.filter { $0.has(.search) }
        guard sources.count < 2 else {
            throw .usage("two sources: \(sources.map(\.manifest.name).joined(separator: " and ")) both search")
        }
        if !request.inputs.isEmpty {
            guard words.isEmpty, sources.isEmpty, request.origins.isEmpty else {
                let other =
                    !words.isEmpty
                    ? "words to search for" : request.origins.isEmpty ? "a searching plugin" : "--from"
                throw .usage(
                    "both an input and \(other)",
                    hint: "give one of them; --where keeps records of an input")
            }
            return InputStream(
                request.inputs, lookUps: lookUps, format: request.inputFormat, strict: request.isStrict,
                limit: request.fetch, room: request.budgets.roomForDocument, gate: gate)
        }
        if !request.origins.isEmpty { return try origins(query, sources) }
        if let plugin = sources.first, let search = plugin.function(.search) {
            return PluginSource(plugin, search, query: query, limit: request.fetch)
        }
        if request.product.isPlayed, let videos = PlayIntent.videos(in: query) {
            if let option = request.search.keys.map(\.rawValue).min() { throw Self.noSearch(option) }
            return ListStream(videos)
        }
        if request.product.isPlayed, let named = PlayIntent.named(in: query, isAsked: true) {
            return try records(of: named)
        }
        let isNarrow = [.channel, .topic, .category, .event, .location].contains { request.search[$0] != nil }
        if query.allSatisfy(\.isWhitespace), !isNarrow {
            // A plugin with a `run` role may need no records at all.
            if plugins.contains(where: { $0.has(.run) }) { return ListStream([]) }
            throw .usage("nothing to search for", hint: "give words, or read records with --input FILE or -")
        }
        let stream = SearchStream(
            SearchQuery(words: query, options: request.search), source: request.source, limit: request.fetch, gate: gate
        )
        search = stream
        return stream
    }

    // MARK: format to written

    /// Loads what writes the output: the template, or the default format plugin if no plugin writes it. Both may
    /// declare fields.
    private func loadFormat() throws(HostError) {
        if case .formatted = request.product {} else { return }
        if let text = request.template {
            template = try PrintTemplate(text, in: try commandLine("--print"))
        } else if !plugins.contains(where: { $0.has(.run) || $0.has(.format) }) {
            if let suffix = request.unknownSuffix {
                _ = try gate.ask(
                    .log(
                        .warning,
                        "no format is known for files that end in .\(suffix): this one holds \(request.defaultFormat); `ythost run FORMAT …` chooses"
                    ))
            }
            _ = try load(request.defaultFormat, PluginArguments(plugin: request.defaultFormat))
        }
    }

    private func write(_ videos: CountedStream) throws(HostError) {
        switch request.product {
        case .formatted: break
        case .origins: return try writeOrigins(videos)
        case .player, .addresses: return try writePlayable(videos)
        case .pictures: return try writePictures(videos)
        }
        let runners = plugins.filter { $0.has(.run) }
        let formats = plugins.filter { $0.has(.format) }
        let all = runners.map { ($0, PluginManifest.Role.run) } + formats.map { ($0, PluginManifest.Role.format) }
        guard all.count < 2 else {
            throw .usage(
                "two plugins write the output: \(all.map(\.0.manifest.name).joined(separator: " and "))",
                hint: "a run has one format")
        }
        if let template {
            guard all.isEmpty else {
                throw .usage("both --print and \(all[0].0.manifest.name) write the output", hint: "leave one out")
            }
            while let batch = try videos.nextBatch() {
                for line in try template.lines(Array(batch)) {
                    try output.append(line.utf8)
                    try output.endLine()
                }
            }
            return
        }
        guard let (plugin, role) = all.first ?? plugins.last.map({ ($0, .format) }) else { return }
        try call(plugin, role, videos)
    }

    /// Calls `format(videos, out, opt)` or `run(ctx, opt)`.
    private func call(_ plugin: Plugin, _ role: PluginManifest.Role, _ videos: CountedStream) throws(HostError) {
        guard let function = plugin.function(role) else {
            throw .badPlugin(plugin: plugin.manifest.path, position: nil, problem: "it has no format role", hint: nil)
        }
        let context = plugin.context
        let stack = context.state.stack
        let base = stack.count
        defer { stack.setTop(base) }
        videos.endsAtFailure = role == .format
        videos.onFailure = { [unowned context] in context.upstreamFailure = $0 }
        defer { videos.takeBack(context.unreadResults) }
        do throws(LuaError) {
            stack.push(function)
            if role == .run {
                stack.pushTable(members: 4)
                stack.push(words.joined(separator: " "))
                stack.setField("query", of: -2)
                try context.pushResults(videos, isCounted: true, on: stack)
                stack.setField("videos", of: -2)
                stack.push(output, as: context.types.output)
                stack.setField("out", of: -2)
                try stack.push(.list(words.map { .text($0) }))
                stack.setField("args", of: -2)
                plugin.pushOptions(stack)
                try stack.call(arguments: 2, results: 0)
            } else {
                try context.pushResults(videos, isCounted: true, on: stack)
                stack.push(output, as: context.types.output)
                plugin.pushOptions(stack)
                try stack.call(arguments: 3, results: 1)
            }
        } catch { throw context.failure(error) }
        if let failure = context.upstreamFailure { throw failure }
        // Text that is returned instead of written would be lost silently.
        if role == .format, [.string, .number, .table].contains(stack.kind(at: base + 1)) {
            throw plugin.wrongResult(.format, "nothing, since it writes with out:write", stack.kind(at: base + 1))
        }
    }

    private func finish(_ sink: any OutputSink) throws(HostError) {
        try output.flush()
        try sink.commit()
    }

    /// Calls the `written` role of plugins, now that the output is durable.
    private func announce(_ videos: [Video]) throws(HostError) {
        output.end()
        for plugin in plugins {
            guard let written = plugin.function(.written) else { continue }
            let stack = plugin.context.state.stack
            let base = stack.count
            defer { stack.setTop(base) }
            do throws(LuaError) {
                stack.push(written)
                try plugin.context.pushList(videos, on: stack)
                plugin.pushOptions(stack)
                try stack.call(arguments: 2, results: 0)
            } catch { throw plugin.context.failure(error) }
        }
    }

    /// Logs which stage dropped records because a field was unknown, so that a result is never silently empty.
    private func reportUnknowns(_ videos: CountedStream) {
        for step in steps {
            switch step {
            case .plugin(let plugin): reportUnknowns(plugin.context.unknowns, of: plugin.manifest.name)
            case .keep(let expression): reportUnknowns(expression.unknowns, of: expression.flag)
            case .order: break
            }
        }
        // With --fail-empty the run ends with this as its error.
        if videos.isRead, videos.count == 0, !request.failsWhenEmpty { log(.warning, "nothing matched") }
    }

    private func reportUnknowns(_ unknowns: MissingFieldTracker, of stage: String) {
        for (field, count) in unknowns.dropped.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            log(
                .warning,
                "\(stage) dropped \(Self.videos(count)) whose \(field.name) is unknown"
                    + advice(field, unknowns.droppedOf[field] ?? [:]))
        }
    }

    /// What --look-up would ask; empty if it was given, or where it would tell nothing.
    private func advice(_ field: VideoField, _ counts: [String: Int]) -> String {
        guard !request.looksUp, !request.isDry, !request.inputs.isEmpty, let offers = try? lookUps.offered() else {
            return ""
        }
        let told = offers.filter { $0.fields.contains(field) && counts[$0.service] != nil }
        guard !told.isEmpty else { return "" }
        let calls = told.reduce(0) { $0 + ((counts[$1.service] ?? 0) + LookUp.batch - 1) / LookUp.batch }
        let names = told.map(\.service).joined(separator: " and ")
        return "; --look-up asks \(names) (\(calls == 1 ? "1 call" : "\(calls) calls"))"
    }
}
