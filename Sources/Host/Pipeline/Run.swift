// One run, a straight line:
//
//     request -> plugins -> source -> enrich -> (filter | map)* -> rank -> take -> format -> output -> written
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
    /// Steps between source and ranking, and the ranking steps, in command line order.
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
        case order(Expression)
    }

    private let ready: PrewarmedState?

    /// - Parameters:
    ///   - isAlone: the process runs nothing else, so signal timers may enforce the time limits.
    ///   - ready: a prewarmed state for the first plugin, if one exists.
    package init(_ request: RunRequest, gate: any Gate, isAlone: Bool, ready: PrewarmedState? = nil) throws(HostError) {
        self.request = request
        self.ready = ready
        self.gate = gate
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
            gate: gate, output: output, frozenTime: request.frozenTime, seed: request.seed,
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
        let counted = CountedStream(stream, keepsRecords: plugins.contains { $0.has(.written) })
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
            case .order(let text): steps.append(.order(try expression(text, "--by")))
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

    /// Makes a Lua state for code from the command line. Each expression has its own, so that it counts its own unknown
    /// fields.
    private func commandLine(_ flag: String) throws(HostError) -> PluginContext {
        try PluginContext(name: flag, path: nil, folder: nil, environment: environment)
    }

    // MARK: source to take

    private func pipeline() throws(HostError) -> any RecordStream {
        var stream = try source()
        for step in steps {
            switch step {
            case .plugin(let plugin):
                if plugin.has(.filter) || plugin.has(.map) { enrich(&stream, for: plugin.manifest.fields) }
                if let filter = plugin.function(.filter) { stream = FilterStage(stream, plugin, filter) }
                if let map = plugin.function(.map) { stream = MapStage(stream, plugin, map) }
            case .keep(let expression):
                enrich(&stream, for: expression.fields)
                stream = ExpressionFilter(stream, expression)
            case .order: break
            }
        }
        for step in steps {
            switch step {
            case .plugin(let plugin):
                if plugin.has(.score) || plugin.has(.rank) { enrich(&stream, for: plugin.manifest.fields) }
                if let score = plugin.function(.score) { stream = SortStage(stream, SortStage.scored(plugin, score)) }
                if let rank = plugin.function(.rank) { stream = SortStage(stream, SortStage.ranked(plugin, rank)) }
            case .order(let expression):
                enrich(&stream, for: expression.fields)
                stream = SortStage(stream) { videos throws(HostError) in try expression.order(videos) }
            case .keep: break
            }
        }
        // `play` drops records that cannot be played, so `take` must not count them here.
        if let take = request.take, !request.product.isPlayed { stream = TakeStage(stream, take) }
        enrich(&stream, for: wanted)
        return stream
    }

    /// The fields that plugins, expressions and the template declare they read.
    var wanted: Set<VideoField> {
        var fields = template?.fields ?? []
        for plugin in plugins { fields.formUnion(plugin.manifest.fields) }
        for expression in expressions { fields.formUnion(expression.fields) }
        return fields
    }

    private(set) var isEnriched = false

    /// Inserts the enrich stage before the first stage that needs fields which search replies lack. It fetches the
    /// fields of all stages at once.
    private func enrich(_ stream: inout any RecordStream, for fields: some Sequence<VideoField>) {
        guard !isEnriched, let search, EnrichStage.isNeeded(for: Set(fields)) else { return }
        isEnriched = true
        stream = EnrichStage(stream, of: search, fields: wanted, isReadWhole: isReadWhole, gate: gate)
    }

    /// Whether the run reads the search to its last record, unless a plugin stops by itself.
    private var isReadWhole: Bool {
        if request.product.isPlayed { return false }
        return request.take == nil
            || steps.contains { step in
                switch step {
                case .plugin(let plugin): plugin.has(.score) || plugin.has(.rank)
                case .order: true
                case .keep: false
                }
            }
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
                request.inputs, format: request.inputFormat, strict: request.isStrict,
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
                for video in batch {
                    try output.append(try template.line(video).utf8)
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
        var drops: [(stage: String, dropped: [VideoField: Int])] = []
        for step in steps {
            switch step {
            case .plugin(let plugin) where !plugin.context.unknowns.dropped.isEmpty:
                drops.append((plugin.manifest.name, plugin.context.unknowns.dropped))
            case .keep(let expression) where !expression.dropped.isEmpty:
                drops.append((expression.flag, expression.dropped))
            case .plugin, .keep, .order: break
            }
        }
        for (stage, dropped) in drops {
            for (field, count) in dropped.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                let videos = count == 1 ? "1 video" : "\(count) videos"
                log(.warning, "\(stage) dropped \(videos) whose \(field.name) is unknown")
            }
        }
        // With --fail-empty the run ends with this as its error.
        if videos.isRead, videos.count == 0, !request.failsWhenEmpty { log(.warning, "nothing matched") }
    }
}
