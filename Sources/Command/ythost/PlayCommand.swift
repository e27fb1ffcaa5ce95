// `play`: finds a video and opens it in a page, the browser or a player. Trap: the address is untrusted, so a player
// gets it only after `--` and only if it is an http or https address.

import Glibc
import YTHost

enum PlayCommand: Command {
    static let name = "play"
    static let usage = "WORDS… | URL… [flags]"
    static let summary =
        "play videos on a page (--serve), in a browser (--open) or in a player (--with)"

    static func run(_ arguments: [String], _ diagnostics: Diagnostics) throws(HostError) -> ErrorReport.Code {
        let given = try RunArguments.parsed(arguments, words: .query, flags: RunArguments.play + RunArguments.all)
        let playing = given.playing
        if given.wantsHelp {
            try Help.print(
                Help.command(
                    Self.self,
                    flags: [
                        ("Playing", RunArguments.play), ("Searching", RunArguments.search),
                        ("Flags", RunArguments.runOfPlay),
                    ]))
            return .done
        }
        if playing.opensPage, playing.player != nil {
            throw .usage("--open opens the page, and --with needs none", hint: "leave one of them out")
        }
        if playing.servesPage, playing.player != nil || given.outputPath != nil {
            throw .usage("--serve shows the page, and neither --with nor -o has to do with that", hint: "leave one out")
        }
        if playing.port != nil, !playing.servesPage {
            throw .usage("--port is about --serve", hint: "ythost play WORDS --serve --port N")
        }
        // Check before the search, which would otherwise be wasted.
        if let port = playing.port { try Player.check(port: port) }
        let program: String? =
            if let name = playing.player ?? (playing.opensPage ? "xdg-open" : nil) {
                try Player.path(of: name)
            } else { nil }
        let host = given.host(diagnostics)
        if playing.player != nil, let program {
            let addresses = try Player.addresses(given.request, host)
            host.finish()
            throw Player.become(program, ["--"] + addresses)
        }
        if playing.servesPage {
            guard let page = try Player.page(given.request, host) else { return .done }
            host.finish()
            try Player.serve(page, port: playing.port ?? 0) { address throws(HostError) in
                try Help.print(address)
                diagnostics.log(.warning, "the page is there until it is closed, or Ctrl-C is pressed here")
                if let program { try Player.launch(program, [address]) }
            }
            return .done
        }
        let path = if let path = given.outputPath { path } else { try page(for: given.request) }
        try Player.writePage(given.request, host, to: path, mode: given.outputPath == nil ? 0o600 : 0o666)
        host.finish()
        if given.request.isDry { return .done }
        try Help.print(path)
        if let program { throw Player.become(program, [path]) }
        return .done
    }

    /// The path of the page for a request.
    private static func page(for request: RunRequest) throws(HostError) -> String {
        guard let folder = Setup.playerFolder else {
            throw .usage("there is no place for the page: HOME is not set", hint: "-o FILE names one")
        }
        return try Player.page(in: folder, for: request)
    }
}
