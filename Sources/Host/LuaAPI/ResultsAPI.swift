// Declarations of the methods of results and lists. Their bodies are in the Lua prelude.

enum ResultsAPI {
    private static let chained = [APIResult(.object(.results))]
    private static let field = APIType.either([.text, .function])

    static let functions: [APIFunction] = [
        APIFunction(
            lua: "Results:filter", "Keeps the items for which the function gives a true value.",
            [APIParameter("keep", .function, "gets an item")], gives: chained,
            example: #"results:filter(function(v) return v:get("duration", 0) > 3600 end)"#),
        APIFunction(
            lua: "Results:map", "Gives what the function makes of each item.",
            [APIParameter("change", .function, "gets an item, gives its replacement")], gives: chained,
            example: #"results:map(function(v) return v.title end)"#),
        APIFunction(
            lua: "Results:take", "Stops after so many items.",
            [APIParameter("n", .integer(0...Int64.max))], gives: chained, example: "results:take(5)"),
        APIFunction(
            lua: "Results:skip", "Leaves out the first items.",
            [APIParameter("n", .integer(0...Int64.max))], gives: chained, example: "results:skip(10)"),
        APIFunction(
            lua: "Results:unique", "Keeps the first item of each key; items without one are all kept.",
            [APIParameter("key", field, "a field's name or a function; provider and id when absent", optional: true)],
            gives: chained, example: #"results:unique("title")"#),
        APIFunction(
            lua: "Results:sort", "Sorts all items; equal ones keep their order.",
            [APIParameter("before", .function, "gets two items, says whether the first comes before the second")],
            gives: chained, example: #"results:sort(function(a, b) return a.title < b.title end)"#),
        APIFunction(
            lua: "Results:sort_by", "Sorts all items by a field; unknown ones come last, equal ones keep their order.",
            [
                APIParameter("field", field, "a field's name or a function"),
                APIParameter("direction", .choice(["asc", "desc"]), "asc when absent", optional: true),
            ], gives: chained, example: #"results:sort_by("views", "desc")"#),
        APIFunction(
            lua: "Results:enrich",
            "Looks up what is unknown of videos, 50 at a time.",
            [APIParameter("fields", .list(.text), "the fields that are wanted; what no service tells stays unknown")],
            gives: chained, grant: .search,
            example: #"yt.search("programming"):enrich{"duration", "views"}:sort_by("views", "desc")"#),
        APIFunction(
            lua: "Results:group", "Gathers all items by a key, in the order the keys appear.",
            [APIParameter("key", field, "a field's name or a function")],
            gives: [APIResult(.object(.results), "items {key = …, videos = list}; key is nil where it is unknown")],
            example: #"for g in results:group("language") do print(g.key, #g.videos) end"#),
        APIFunction(
            lua: "Results:concat", "Goes on with other results, or a list, after its own.",
            [APIParameter("other", .sequence)], gives: chained, example: "a:concat(b)"),
        APIFunction(
            lua: "Results:list", "Reads everything into a table with the same methods.",
            gives: [APIResult(.table, "positions from 1; # and ipairs work")],
            example: "local list = results:list() print(#list)"),
        APIFunction(
            lua: "Results:first", "Reads the first item.", gives: [APIResult(.any, "nil when there is none")],
            example: "local v = results:first()"),
        APIFunction(
            lua: "Results:at_hand",
            "Reads the next item if nobody outside need be asked for it. What was changed or filtered has none.",
            gives: [APIResult(.any, "nil when it has to be waited for, and at the end")],
            example: "local v = results:at_hand() if v == nil then v = results(nil, last) end"),
        APIFunction(
            lua: "Results:count", "Reads everything and counts it.", gives: [APIResult(.integer(0...Int64.max))],
            example: "print(results:count())"),
        APIFunction(
            lua: "pairs", "Goes through a table in the order of its keys: numbers, then strings.",
            [APIParameter("table", .table)], gives: [APIResult(.function, "an iterator of key and value")],
            example: "for name, value in yt.pairs(counts) do print(name, value) end"),
    ]
}
