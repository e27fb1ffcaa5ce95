// The prelude chunk that runs functions concurrently. Each is a task: a coroutine that is suspended while it waits for
// a request. Only Lua code drives tasks, so that nested tasks and a plugin's own generators are suspended with their
// task. Where Lua cannot yield, as in a comparator of `table.sort`, a wait blocks instead.

import Gate
import LuaRuntime
import VideoModel

extension Prelude {
    static var tasks: [UInt8] { Resource.preludeTasks.bytes }
}

extension PluginContext {
    /// Sets the functions that the chunk above needs in the table on top.
    func pushTaskFunctions(_ stack: LuaStack) {
        stack.push { [unowned self] stack throws(LuaError) in
            // Use the library's own version, even if a plugin replaced it.
            stack.push(try state.load(Prelude.tasks, name: Prelude.name))
            return 1
        }
        stack.setField("tasks", of: -2)
        stack.pushGlobals()
        stack.pushField("coroutine", of: -1)
        stack.pushField("create", of: -1)
        stack.setField("create", of: -4)
        stack.pop(2)
        stack.pushStep()
        stack.setField("step", of: -2)
        stack.push { [unowned self] stack throws(LuaError) in try wait(stack) }
        stack.setField("wait", of: -2)
        stack.push { [unowned self] stack throws(LuaError) in
            try stack.forEachPair(of: 1) { stack throws(LuaError) in
                stack.payload(at: -2, as: types.errand)?.abandon()
            }
            return 0
        }
        stack.setField("abandon", of: -2)
        stack.push { [unowned self] stack throws(LuaError) in
            guard let first = video(at: 1, of: stack), let second = video(at: 2, of: stack) else {
                stack.push(copyOf: 1)
                return 1
            }
            push(first.merged(with: second), on: stack)
            return 1
        }
        stack.setField("merged", of: -2)
        stack.push { [unowned self] stack throws(LuaError) in
            together(at: 1, stack)
            stack.push(copyOf: 1)
            return 1
        }
        stack.setField("together", of: -2)
        stack.push { stack throws(LuaError) in
            let name = stack.text(at: 1) ?? stack.kind(at: 1).name
            throw LuaError("an answer has no field '\(name)'; it has status, headers, body, json")
        }
        stack.setField("no_field", of: -2)
        if let decode = API.named("json.decode").flatMap(bind) {
            stack.push(function: decode)
            stack.setField("decode", of: -2)
        }
    }

    /// Makes the records of a list rows of one batch, so that they are looked up together.
    private func together(at index: Int32, _ stack: LuaStack) {
        var places: [Int64] = []
        var videos: [Video] = []
        for place in 1...Int64(max(1, stack.rawLength(at: index))) {
            stack.pushElement(place, of: index)
            if let video = video(at: stack.count, of: stack) {
                places.append(place)
                videos.append(video)
            }
            stack.pop()
        }
        let rows = VideoRows(videos, in: self)
        pushPin(rows, on: stack)
        let pin = stack.count
        for (row, place) in places.enumerated() {
            stack.push(row: row, of: rows, as: types.video, pin: pin)
            stack.setElement(place, of: index)
        }
        stack.pop()
    }

    /// Waits for one of the requests that are keys of the table at index 1, and returns it. Suspends the coroutine if
    /// this runs in a task itself.
    private func wait(_ stack: LuaStack) throws(LuaError) -> Int32 {
        if stack.state.isResumed { return 1 }
        if stack.mayWait {
            stack.push(copyOf: 1)
            return stack.wait()
        }
        var errands: [PendingRequest] = []
        try stack.forEachPair(of: 1) { stack throws(LuaError) in
            if let errand = stack.payload(at: -2, as: types.errand) { errands.append(errand) }
        }
        let done = PendingRequest.first(of: errands).map { errands[$0] }
        var key: LuaReference?
        try stack.forEachPair(of: 1) { stack throws(LuaError) in
            if let done, stack.payload(at: -2, as: types.errand) === done { key = stack.reference(at: -2) }
        }
        if let key { stack.push(key) } else { stack.push() }
        return 1
    }
}

extension PendingRequest {
    /// A pending request in a Lua state, without fields.
    static var type: LuaType<PendingRequest> {
        LuaType(
            name: "errand", read: { _, _, stack throws(LuaError) in stack.push() },
            unknown: { _, _ in LuaError("an errand has no fields") })
    }
}
