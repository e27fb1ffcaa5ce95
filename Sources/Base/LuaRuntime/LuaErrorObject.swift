// A host error as Lua sees it: an object with fields and a readable `tostring`. A plugin may catch it, look at it and
// raise it again; the Swift error inside comes out unharmed.

/// What the host's errors tell a plugin that catches them.
public protocol LuaErrorFacts: Error {
    /// Facts by name: text, a whole number, or absent.
    func fact(_ name: LuaErrorFact) -> LuaValue
    /// A fact that is a list of tables of texts; nil for any other.
    func rows(_ name: LuaErrorFact) -> [[(name: String, text: String)]]?
}

extension LuaErrorFacts {
    public func rows(_ name: LuaErrorFact) -> [[(name: String, text: String)]]? { nil }
}

/// The fields of an error object.
public enum LuaErrorFact: String, CaseIterable, Sendable {
    /// What sort of trouble: network, quota, grant, budget …
    case kind
    /// The service it came from.
    case source
    /// The service's status number.
    case status
    /// What happened, in words.
    case message
    /// Epoch seconds from which trying again makes sense.
    case retryAt = "retry_at"
    /// The service's own number or word for what happened, as text.
    case code
    /// What the service says for people who use an app, and for those who write one.
    case userMessage = "user_message"
    case developerMessage = "developer_message"
    /// Parameters that make no sense to the service: a list of tables with field, code, user_message and
    /// developer_message.
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
