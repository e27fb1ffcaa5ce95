// A process of its own for tests: does to a store what its arguments say, until it is done or killed.
//
//     Probe count FILE KEY TIMES     adds one to a number, so many times
//     Probe fill FILE SPACE          writes entries without end, each of one repeated byte
//     Probe spend FILE PORT TIMES LIMIT   sends requests to this machine that cost one unit each of a bucket

import Basics
import Glibc
import Store
import WebClient

func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
}

let arguments = CommandLine.arguments
guard arguments.count >= 4 else { exit(2) }
let store = SQLiteStore(path: arguments[2], options: StoreOptions(capacity: arguments[1] == "fill" ? 4 << 20 : nil))
do {
    switch arguments[1] {
    case "count":
        for _ in 0..<(Int(arguments[4]) ?? 0) {
            try store.update(arguments[3], in: "numbers", expires: nil) { value in
                let old = value.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
                value = Array(String(old + 1).utf8)
            }
        }
    case "fill":
        var number = 0
        while true {
            number += 1
            let value = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1000 + number % 50_000)
            try store.put(value, for: "\(number % 200)", in: arguments[3], expires: nil)
            if number == 20 { say("busy") }
        }
    case "spend":
        var configuration = WebConfiguration()
        configuration.ledger = QuotaLedger(store: store)
        let session = WebSession(configuration)
        let bucket = QuotaBucket(service: "youtube", name: "search", account: "abc", limit: Int(arguments[5]))
        for number in 0..<(Int(arguments[4]) ?? 0) {
            guard let address = WebAddress("http://127.0.0.1:\(arguments[3])/probe\(number)") else { exit(2) }
            var request = WebRequest(.get, address)
            request.target = .trusted
            request.charge = WebCharge(bucket)
            do throws(WebError) {
                _ = try session.send(request)
            } catch {
                guard case .quotaSpent = error else { exit(3) }
            }
        }
    default: exit(2)
    }
} catch {
    say("\(error)")
    exit(1)
}
