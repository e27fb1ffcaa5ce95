// The words of the command: help of every command, and the errors that users meet most. YTHOST_UPDATE_GOLDENS=1 rewrites
// the goldens.

import Foundation
import Testing

@Suite struct WordsTests {
    private static let commands = [
        "run", "search", "parse", "preview", "embed", "thumbnail", "play", "plugin", "sources", "login", "logout",
        "quota", "cache", "config", "doctor", "help", "version",
    ]

    @Test("help of every command")
    func help() throws {
        var text = ""
        for words in [["help"]] + Self.commands.map({ [$0, "--help"] }) {
            let run = try Command.run(words)
            #expect(run.code == 0 && run.errors.isEmpty, "\(words): \(run.errors)")
            text += "$ ythost \(words.joined(separator: " "))\n\(run.output)\n"
        }
        try Golden.expect(Data(text.utf8), is: "help.txt")
    }

    /// Mistakes of users, each as it is typed; those of plugins name files of `errors`.
    private static let mistakes = [
        "serach lua", "run", "run no-such-plugin lua", "run rss", "run rss lua --take 0", "run rss lua --take",
        "run rss lua --tkae 3", "run rss lua -z", "run rss -i missing.jsonl", "run rss -i broken.jsonl",
        "run rss -i empty.jsonl", "run rss -i broken.jsonl --as nothing", "run rss lua --source nowhere",
        "run rss lua --after someday", "run rss lua --order best", "run table lua --where 'titel == 1'",
        "run table lua --where 'title =='", "run table lua --print '{titel}'", "run table lua --tz Mars/Base",
        "run table lua --budget memory=lots", "run table lua --allow everything", "run table lua -p long:minimum=3",
        "run table lua -p long:min=soon", "run table lua --from ftp://example.org", "run table lua --radius 10km",
        "run ./fails.lua", "run ./loops.lua --budget cpu=200ms", "run ./syntax.lua", "run ./needs.lua",
        "run ./roles.lua lua", "parse", "thumbnail nonsense", "login nowhere", "plugin info no-such-plugin",
        "run rss lua --fail-empty -p long:min=90h", "run rss lua -o missing/folder/x.rss", "help nothing",
    ]

    @Test("errors that users meet most")
    func errors() throws {
        let scratch = try Scratch()
        try scratch.file("broken.jsonl", #"{"title": "half"#)
        try scratch.file("empty.jsonl", "")
        try scratch.file("fails.lua", "local t = nil\nprint(t.title)\n")
        try scratch.file("loops.lua", "while true do end\n")
        try scratch.file("syntax.lua", "return {\n  filter = function(video) return true\n}\n")
        try scratch.file("needs.lua", "local reply = yt.http.get('https://example.org/')\n")
        try scratch.file("roles.lua", "return { summary = 'x', fliter = function() return true end }\n")
        var text = ""
        for mistake in Self.mistakes {
            let run = try Command.shell("ythost \(mistake)", in: scratch.folder)
            let errors = run.errors.replacingOccurrences(of: Command.root.path, with: "ROOT")
            text += "$ ythost \(mistake)\n\(errors)= \(run.code)\n\n"
        }
        try Golden.expect(Data(text.utf8), is: "errors.txt")
    }
}
