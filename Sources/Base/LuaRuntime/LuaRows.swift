// Rows of a batch in Lua: small userdata without a finalizer, whose plain fields C reads from parsed data. Trap: a row
// refers to its `LuaRows` without retaining it; the pin, which each row has as its user value, does.

import CField
import CLua

/// How a field of a row is read. C reads the value at a path, in the parser's format, and leaves to Swift whatever it
/// does not understand.
public enum LuaFieldRead {
    /// Swift reads the field.
    case ask
    /// A text that is not empty.
    case text([UInt8])
    /// The same, if it holds no `&`.
    case html([UInt8])
    /// An integer, or at most 18 decimal digits.
    case integer([UInt8])
    /// `YYYY-MM-DDTHH:MM:SSZ`, as epoch seconds.
    case time([UInt8])
    /// A word with a meaning; any other is left to Swift.
    case word([UInt8], [(word: String, meaning: String)])
    /// The same text for every row.
    case constant(String)
}

/// The fields of rows of one kind, by number.
public final class LuaFieldPlan {
    fileprivate let fields: UnsafeMutableBufferPointer<CLuaField>
    /// Memory that the fields point to.
    private var memory: [UnsafeMutableRawPointer] = []

    public init(_ reads: [LuaFieldRead]) {
        fields = .allocate(capacity: reads.count)
        fields.initialize(repeating: CLuaField())
        for (index, read) in reads.enumerated() {
            switch read {
            case .ask: fields[index].read = CLUA_READ_ASK
            case .text(let path): set(index, CLUA_READ_TEXT, path)
            case .html(let path): set(index, CLUA_READ_HTML, path)
            case .integer(let path): set(index, CLUA_READ_INTEGER, path)
            case .time(let path): set(index, CLUA_READ_TIME, path)
            case .word(let path, let words): set(index, CLUA_READ_WORD, path, words)
            case .constant(let text): set(index, CLUA_READ_CONSTANT, [], [("", text)])
            }
        }
    }

    deinit {
        for block in memory { block.deallocate() }
        fields.deallocate()
    }

    private func set(_ index: Int, _ read: CLuaRead, _ path: [UInt8], _ words: [(word: String, meaning: String)] = []) {
        fields[index].read = read
        fields[index].path = copy(path)
        fields[index].path_length = path.count
        guard !words.isEmpty else { return }
        let list = UnsafeMutablePointer<CLuaWord>.allocate(capacity: words.count)
        memory.append(list)
        for (place, pair) in words.enumerated() {
            let (word, meaning) = (Array(pair.word.utf8), Array(pair.meaning.utf8))
            (list + place).initialize(
                to: CLuaWord(
                    word: copied(word), word_length: word.count, meaning: copied(meaning),
                    meaning_length: meaning.count))
        }
        fields[index].words = UnsafePointer(list)
        fields[index].word_count = words.count
    }

    private func copy(_ bytes: [UInt8]) -> UnsafePointer<UInt8> {
        let block = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
        block.update(from: bytes, count: bytes.count)
        memory.append(block)
        return UnsafePointer(block)
    }

    private func copied(_ bytes: [UInt8]) -> UnsafePointer<CChar> {
        UnsafeRawPointer(copy(bytes)).assumingMemoryBound(to: CChar.self)
    }
}

/// The rows of a batch inside one Lua state. Subclasses hold what the rows stand for.
open class LuaRows {
    fileprivate let rows: UnsafeMutablePointer<CLuaRows>
    private let places: UnsafeMutablePointer<CLuaPlace>
    private var plans: UnsafeMutablePointer<CLuaPlan>
    private var planCount = 1
    private var planCapacity = 2
    /// Keeps the plans alive.
    private var retained: [LuaFieldPlan] = []
    public let count: Int

    /// Rows whose fields Swift reads, until `read(_:by:…)` says otherwise.
    public init(count: Int) {
        self.count = count
        places = .allocate(capacity: max(count, 1))
        places.initialize(repeating: CLuaPlace(), count: max(count, 1))
        plans = .allocate(capacity: planCapacity)
        plans.initialize(repeating: CLuaPlan(), count: planCapacity)
        rows = .allocate(capacity: 1)
        rows.initialize(to: CLuaRows(owner: nil, count: UInt32(clamping: count), plans: plans, places: places))
        rows.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        places.deallocate()
        plans.deallocate()
        rows.deallocate()
    }

    /// Adds a way to read rows, and returns its number for `place`.
    ///
    /// - Parameter source: the parsed data. The caller keeps it alive as long as this object.
    public func add(_ plan: LuaFieldPlan, of source: cfield_source) -> UInt32 {
        if planCount == planCapacity {
            let more = UnsafeMutablePointer<CLuaPlan>.allocate(capacity: planCapacity * 2)
            more.initialize(repeating: CLuaPlan(), count: planCapacity * 2)
            more.update(from: plans, count: planCount)
            plans.deallocate()
            plans = more
            planCapacity *= 2
            rows.pointee.plans = UnsafePointer(plans)
        }
        plans[planCount] = CLuaPlan(
            fields: UnsafePointer(plan.fields.baseAddress), field_count: plan.fields.count, source: source)
        retained.append(plan)
        planCount += 1
        return UInt32(planCount - 1)
    }

    /// Lets C read a row.
    public func place(_ row: Int, plan: UInt32, document: UInt32, index: UInt32) {
        places[row] = CLuaPlace(plan: plan, document: document, index: index)
    }

    /// Leaves all fields of a row to Swift from now on, because it was changed.
    public func leave(_ row: Int) { places[row].plan = 0 }
}

/// The payload of a row.
public struct LuaRow<Rows: LuaRows> {
    private let row: CLuaRow

    /// The number of the row in its batch.
    public var number: Int { Int(row.row) }
    /// The batch. The row's pin keeps it alive while the row is on the stack.
    public var rows: Rows? {
        row.rows.pointee.owner.flatMap {
            unsafeDowncast(Unmanaged<LuaRows>.fromOpaque($0).takeUnretainedValue(), to: Rows.self)
        }
    }
}

/// The rows that a cursor gives without a call into Swift. The first member of a cursor's payload.
public struct LuaCursorRows {
    private var cursor = CLuaCursor()

    public init() {}

    /// Number of rows that were not given yet.
    public var left: Int { Int(cursor.end - cursor.next) }

    /// Whether half of the rows are given with the next one.
    public var isAtHalf: Bool { cursor.next == cursor.half && left > 0 }

    /// The next row's number, counted as given; nil when none is left.
    public mutating func take() -> UInt32? {
        guard cursor.next < cursor.end else { return nil }
        cursor.next += 1
        return cursor.next - 1
    }

    /// Begins with other rows. Swift is called for the row that completes half of them, and at their end. Set their pin.
    public mutating func begin(_ rows: LuaRows) {
        let count = UInt32(clamping: rows.count)
        cursor = CLuaCursor(rows: rows.rows, next: 0, end: count, half: (max(count, 1) - 1) / 2)
    }
}

extension LuaState {
    /// Registers a type of rows.
    public func registerRows<Rows: LuaRows>(_ type: LuaType<LuaRow<Rows>>) -> LuaTypeID<LuaRow<Rows>> {
        register(type, declare: clua_declare_rows)
    }

    /// Makes a calculation with nil a runtime error that costs little.
    public func guardNil() { clua_guard_nil(stack.lua) }

    /// Makes the calls of a cursor type give rows. Its payload starts with a `LuaCursorRows`, and its `__call` is called
    /// when there are no more rows.
    public func declareCursor<Cursor, Rows: LuaRows>(_ id: LuaTypeID<Cursor>, of rows: LuaTypeID<LuaRow<Rows>>) {
        clua_declare_cursor(stack.lua, id.index, rows.index)
    }
}

extension LuaStack {
    /// Pushes a row.
    ///
    /// - Parameter pin: stack index of the userdata that retains the rows.
    public func push<Rows: LuaRows>(row: Int, of rows: Rows, as id: LuaTypeID<LuaRow<Rows>>, pin: Int32) {
        clua_push_row(lua, id.index, rows.rows, UInt32(row), pin)
    }

    /// Pops a pin and makes it the one of the cursor at that index.
    public func setPin(of index: Int32) { clua_set_pin(lua, index) }
    /// Pushes the pin of a cursor or a row.
    public func pushPin(of index: Int32) { clua_push_pin(lua, index) }
}

/// A loop that calls a function for one row after the other, with one protected call for all.
public struct LuaRowLoop {
    /// What the function returns.
    public enum Kind: Sendable {
        /// A value whose truth decides whether the row is accepted.
        case filter
        /// A number, which accepts the row, or nil.
        case score
    }

    /// A result that is not of the kind.
    public struct BadResult {
        /// `.none` when the function returned nothing.
        public let kind: LuaStack.Kind
        public let isNaN: Bool
    }

    public let kind: Kind
    /// The next row to call the function for.
    public var next = 0
    /// Whether a row was accepted, by its number.
    public private(set) var verdicts: [Bool]
    /// The numbers of accepted rows.
    public private(set) var scores: [Double]
    public private(set) var badResult: BadResult?

    /// Leaves out the next row, which is then not accepted.
    public mutating func reject() { next += 1 }

    public init(_ kind: Kind, rows: Int) {
        self.kind = kind
        verdicts = Array(repeating: false, count: rows)
        scores = kind == .score ? Array(repeating: 0, count: rows) : []
    }

    /// Calls the function until the last row, until `most` rows are accepted, or until a result is bad. The function,
    /// its second argument and the rows' pin are on top of the stack; they are popped.
    ///
    /// - Parameter after: called after each row of which Swift read a field.
    /// - Throws: what the function raised; `next` is then the row that failed.
    public mutating func run<Rows: LuaRows>(
        _ stack: LuaStack, over rows: Rows, as id: LuaTypeID<LuaRow<Rows>>, most: Int = .max,
        after: (_ row: Int, _ accepted: Bool) -> Void
    ) throws(LuaError) {
        var status = CLUA_OK
        withoutActuallyEscaping(after) { after in
            var after = after
            withUnsafeMutablePointer(to: &after) { after in
                var loop = CLuaLoop()
                loop.kind = kind == .filter ? CLUA_LOOP_FILTER : CLUA_LOOP_SCORE
                loop.row_type = id.index
                loop.rows = rows.rows
                loop.next = UInt32(next)
                loop.most = UInt32(clamping: most)
                loop.context = UnsafeMutableRawPointer(after)
                loop.after = { context, row, accepted in
                    context?.assumingMemoryBound(to: ((Int, Bool) -> Void).self).pointee(Int(row), accepted)
                }
                verdicts.withUnsafeMutableBytes { verdicts in
                    scores.withUnsafeMutableBufferPointer { scores in
                        loop.verdicts = verdicts.baseAddress?.assumingMemoryBound(to: UInt8.self)
                        loop.scores = scores.baseAddress
                        status = clua_run_loop(stack.lua, &loop)
                    }
                }
                next = Int(loop.next)
                badResult =
                    loop.is_bad
                    ? BadResult(kind: LuaStack.Kind(rawValue: loop.bad_type) ?? .none, isNaN: loop.is_nan) : nil
            }
        }
        if status != CLUA_OK { throw stack.state.takeError(stack.lua, status) }
    }
}
