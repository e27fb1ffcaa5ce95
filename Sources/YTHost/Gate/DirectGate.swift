// The gate in the same process: it carries requests out at once.

import VideoServices

final class DirectGate: Gate {
    private let services: [any VideoService]
    private let locator: PluginLocator
    private let inputs: [RunRequest.Input]
    private var open: [Int: InputFile] = [:]
    private let sink: any OutputSink
    private let log: (LogLevel, String) -> Void
    private let defaultSource: () -> String
    private var saidDefault = false

    init(
        services: [any VideoService], locator: PluginLocator, inputs: [RunRequest.Input], sink: any OutputSink,
        defaultSource: @escaping () -> String, log: @escaping (LogLevel, String) -> Void
    ) {
        self.services = services
        self.locator = locator
        self.inputs = inputs
        self.sink = sink
        self.defaultSource = defaultSource
        self.log = log
    }

    func ask(_ request: GateRequest) throws(HostError) -> GateReply {
        switch request {
        case .search(let source, let query, let limit, let page):
            let service = try service(named: source)
            do throws(ServiceError) {
                try service.check(query)
                return .page(try service.search(query, limit: limit ?? .max, page: page), source: service.name)
            } catch {
                throw .service(error)
            }
        case .read(let index):
            return .block(try input(index).next())
        case .write(let bytes):
            try sink.write(bytes)
            return .done
        case .log(let level, let text):
            log(level, text)
            return .done
        case .module(let name, let folder):
            let module = try locator.module(name, folder: folder)
            return .module(text: module.text, name: module.name)
        }
    }

    private func service(named name: String?) throws(HostError) -> any VideoService {
        let wanted = name ?? defaultSource()
        guard let service = services.first(where: { $0.name == wanted }) else {
            throw .unknownSource(name: wanted, known: services.map(\.name))
        }
        if name == nil, !saidDefault {
            saidDefault = true
            log(.warning, "no key is configured: searching the bundled sample library (--source chooses)")
        }
        return service
    }

    private func input(_ index: Int) throws(HostError) -> InputFile {
        if let file = open[index] { return file }
        let file: InputFile
        switch inputs[index] {
        case .standardInput: file = InputFile(standardInput: ())
        case .file(let path): file = try InputFile(path: path)
        }
        open[index] = file
        return file
    }
}
