// CSV for plugins. Trap: each row has the length of its own record, which may differ from the first row's.

import LuaRuntime
import VideoFormats

enum CSVAPI {
    static let functions: [APIFunction] = [
        APIFunction(
            "csv.rows",
            "Reads CSV (RFC 4180), with quoted line ends and a byte order mark; blank lines are left out.",
            [
                APIParameter("text", .text),
                APIParameter(
                    "options",
                    .options([
                        APIParameter(
                            "header", .flag, "whether the first record names the columns: rows are tables by name then",
                            optional: true),
                        APIParameter(
                            "separator", .choice([",", ";", "tab"]),
                            "what stands between fields; what the first record has most of when absent", optional: true),
                    ]), optional: true),
            ],
            gives: [
                APIResult(
                    .table,
                    "a list of rows: lists of text, or tables by the names of the columns, where fields beyond the names "
                        + "have their positions; nil and a reason when a quoted field does not end"),
                APIResult(.table, "rows longer or shorter than the first: a list of {line, fields, expected}"),
            ], example: "for _, row in ipairs(yt.csv.rows(text, {header = true})) do print(row.title) end"
        ) { call throws(LuaError) in
            let reader = CSVReader(call.stack.bytes(at: call.index(0)) ?? [], separator: separator(call))
            return try push(reader, hasHeader: call.option("header", of: 1).isTrue, call)
        }
    ]

    /// The option `separator`; nil when it is absent.
    static func separator(_ call: APICall) -> UInt8? {
        call.option("separator", of: 1).text.map { $0 == "tab" ? "\t" : $0 }?.utf8.first
    }

    /// Pushes the list of rows, and the list of rows whose length differs from the first.
    private static func push(_ reader: CSVReader, hasHeader: Bool, _ call: APICall) throws(LuaError) -> Int32 {
        var reader = reader
        let stack = call.stack
        let base = stack.count
        try stack.reserve(6)
        stack.pushTable(elements: 0)
        stack.pushTable(elements: 0)
        var names: [String] = []
        var expected: Int?
        var count: Int64 = 0
        var uneven: Int64 = 0
        do throws(CSVReader.Unclosed) {
            while let row = try reader.next() {
                guard let columns = expected else {
                    expected = row.fields.count
                    if hasHeader { names = row.fields } else { pushRow(row, [], &count, stack) }
                    continue
                }
                pushRow(row, names, &count, stack)
                if row.fields.count == columns { continue }
                stack.pushTable(members: 3)
                for (name, number) in [("line", row.line), ("fields", row.fields.count), ("expected", columns)] {
                    stack.push(Int64(number))
                    stack.setField(name, of: -2)
                }
                uneven += 1
                stack.setElement(uneven, of: -2)
            }
        } catch {
            stack.setTop(base)
            return call.unreadable("\(error)")
        }
        return 2
    }

    /// Adds a row to the list below the top of the stack.
    private static func pushRow(_ row: CSVReader.Row, _ names: [String], _ count: inout Int64, _ stack: LuaStack) {
        stack.pushTable(elements: names.isEmpty ? row.fields.count : 0)
        for (index, field) in row.fields.enumerated() {
            stack.push(field)
            if index < names.count {
                stack.setField(names[index], of: -2)
            } else {
                stack.setElement(Int64(index + 1), of: -2)
            }
        }
        count += 1
        stack.setElement(count, of: -3)
    }
}
