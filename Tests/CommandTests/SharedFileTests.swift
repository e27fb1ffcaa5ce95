// Files that several processes change at the same time.

import Foundation
import Testing

@Suite struct SharedFileTests {
    @Test("50 processes that give grants at the same time lose none")
    func grants() throws {
        let scratch = try Scratch()
        try scratch.file("p.lua", "print('x')\n")
        let run = try Command.shell(
            """
            for n in $(seq 50); do ythost plugin allow ./p.lua "read:file-$n" >/dev/null & pids="$pids $!"; done
            for pid in $pids; do wait "$pid" || exit 1; done
            """, environment: ["HOME": scratch.folder.path], in: scratch.folder, timeout: 120)
        #expect(run.code == 0, "\(run.errors)")
        let book = try JSONSerialization.jsonObject(
            with: Data(contentsOf: scratch.folder.appending(path: ".local/share/ythost/grants.json")))
        let entries = try #require(book as? [String: [String: Any]])
        let grants = try #require(entries.values.first?["grants"] as? [String])
        #expect(entries.count == 1 && grants.count == 50)
    }
}
