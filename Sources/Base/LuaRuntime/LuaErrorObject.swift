// Host errors as Lua objects with fields and a readable `tostring`. A plugin may catch, inspect and rethrow one; the
// Swift error inside is preserved.

/// The fields that a host error exposes to plugins.
public protocol LuaErrorFacts: Error {
    /// The value of a field: text, an integer, or nil.
    func fact(_ name: LuaErrorFact) -> LuaValue
    /// The value of a field that is a list of string tables; nil for other fields.
    func rows(_ name: LuaErrorFact) -> [[(name: String, text: String)]]?
}

extension LuaErrorFacts {
    public func rows(_ name: LuaErrorFact) -> [[(name: String, text: String)]]? { nil }
}

/// The fields of an error object.
public enum LuaErrorFact: String, CaseIterable, Sendable {
    /// The category: network, quota, grant, budget and so on.
    case kind
    /// The service that reported the error.
    case source
    /// The service's HTTP status.
    case status
    /// The error message.
    case message
    /// Earliest time for a retry, in epoch seconds.
    case retryAt = "retry_at"
    /// The service's own error code, as text.
    case code
    /// The service's messages for app users and for developers.
    case userMessage = "user_message"
    case developerMessage = "developer_message"
    /// Parameters that the service rejected: a list of tables with field, code, user_message and developer_message.
    case invalidParameters = "invalid_parameters"
}

struct LuaErrorObject {
    let error: LuaError

    static func type(in state: LuaState) -> LuaType<LuaErrorObject> {
        LuaType(
            name: "error", fields: LuaErrorFact.allCases.map(\.rawValue),
            read: { object, field, stack throws(LuaError) in
                let fact = LuaErrorFact.allCases[field]
                if let facts = object.error.cause as? any LuaErrorFacts {
                    guard let rows = facts.rows(fact) else { return stack.push(facts.fact(fact)) }
                    stack.pushTable(elements: rows.count)
                    for (place, row) in rows.enumerated() {
                        stack.pushTable(members: row.count)
                        for (name, text) in row {
                            stack.push(text)
                            stack.setField(name, of: -2)
                        }
                        stack.setElement(Int64(place) + 1, of: -2)
                    }
                } else if fact == .message {
                    stack.push(object.error.message)
                } else {
                    stack.push()
                }
            },
            unknown: { stack, _ in
                LuaError(
                    "an error has no field '\(stack.text(at: 2) ?? stack.kind(at: 2).name)'; it has "
                        + LuaErrorFact.allCases.map(\.rawValue).joined(separator: ", "))
            },
            metamethods: [
                (
                    "__tostring",
                    { stack throws(LuaError) in
                        guard let object = stack.state.errorObject(at: 1, of: stack) else {
                            throw LuaError("not an error object")
                        }
                        stack.push(object.error.message)
                        return 1
                    }
                )
            ])
    }
}

extension LuaState {
    func errorObject(at index: Int32, of stack: LuaStack) -> LuaErrorObject? {
        errorTypeID.flatMap { stack.payload(at: index, as: $0) }
    }
}
