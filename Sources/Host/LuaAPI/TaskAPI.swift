// Runs several waiting functions concurrently. The bodies are in the Lua prelude.

enum TaskAPI {
    private static let outcomes = [
        APIResult(
            .list(.table),
            "one for each, in order: {ok = true, value = …} or, when it failed, {ok = false, error = …}; results that a function gives are read into a list"
        )
    ]

    static let functions: [APIFunction] = [
        APIFunction(
            lua: "all",
            "Calls functions at the same time: while one waits for a search or an answer, others go on.",
            [
                APIParameter("functions", .list(.function)),
                APIParameter(
                    "options",
                    .options([
                        APIParameter(
                            "at_once", .integer(1...64), "how many at the same time; 64 when absent", optional: true)
                    ]), optional: true),
            ], gives: outcomes,
            example:
                "for _, done in ipairs(yt.all{count_new, count_old}) do print(done.ok, done.value or done.error) end"
        ),
        APIFunction(
            lua: "map", "Calls a function for each item of a list or of results, several at the same time.",
            [
                APIParameter("items", .sequence), APIParameter("call", .function, "gets an item and its position"),
                APIParameter(
                    "options",
                    .options([
                        APIParameter(
                            "at_once", .integer(1...64), "how many at the same time; 8 when absent", optional: true)
                    ]), optional: true),
            ], gives: outcomes,
            example: "local found = yt.map(topics, function(words) return yt.search(words, {max = 50}) end)"),
        APIFunction(
            lua: "merge",
            "Joins results: one row a video, with what any of them knows of it and where each found it.",
            [
                APIParameter(
                    "sources", .list(.sequence),
                    "results or lists, read at the same time when the first row is asked for")
            ],
            gives: [
                APIResult(
                    .object(.results),
                    "in the order in which the sources name them first; info has the sums, and what each source says as sources"
                )
            ],
            example: "for v in yt.merge{newest, best} do print(v.title) end"),
    ]
}
