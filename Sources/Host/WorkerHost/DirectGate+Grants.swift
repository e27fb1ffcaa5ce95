// Permission checks: grants given to a plugin, and resources named on the command line.

import Files
import Gate
import HostErrors
import Packages
import RecordStreams
import VideoServices

extension DirectGate {
    /// All grants of a plugin, resolved when it was loaded.
    func given(to path: String?) -> [Grant] {
        path.flatMap { path in plugins.last { $0.file.path.isSameName(as: path) } }?.grants ?? grantsOfThisRun
    }

    /// The grant with its paths resolved, if the plugin has it.
    func checked(_ wanted: Grant, for path: String?) throws(HostError) -> Grant {
        let all = given(to: path)
        // Without any grant of this kind, the reply must not reveal which files exist.
        guard all.contains(where: { $0.kind == wanted.kind }) else { throw .grantMissing(plugin: path, wanted) }
        let closed = forbidden + plugins.flatMap { $0.file.package?.package.home.closed ?? [] }
        let wanted = try SystemAccess.resolved(wanted, forbidden: closed)
        guard all.contains(where: { $0.covers(wanted) }) else { throw .grantMissing(plugin: path, wanted) }
        return wanted
    }

    /// Requires the account grant if the request reads data that only the account may see.
    func checkAccount(_ request: GateRequest, for plugin: String?) throws(HostError) {
        guard plugin != nil || !isNamed(request), let account = accountGrant(of: request) else { return }
        _ = try checked(account, for: plugin)
    }

    /// Whether the user named exactly this request on the command line. It is not enough that the pipeline sends it:
    /// a list of origins may come from an untrusted party, and the worker may be compromised.
    private func isNamed(_ request: GateRequest) -> Bool {
        switch request {
        case .search(_, let query, _, _): query.options == search
        case .lookUp(_, .uploads(let text), _, _): typedOrigins.contains(FeedSource.channel(text).line)
        case .lookUp(_, .items(let text), _, _): typedOrigins.contains(FeedSource.playlist(text).line)
        default: false
        }
    }

    /// The grant required in addition to `search` for data that only an account may see.
    private func accountGrant(of request: GateRequest) -> Grant? {
        switch request {
        case .search(let source, let query, _, _):
            (try? service(named: source)).flatMap { $0.isPrivate(query) ? .account($0.name) : nil }
        case .lookUp(let source, let question, _, _):
            (try? service(named: source)).flatMap { $0.isPrivate(question) ? .account($0.name) : nil }
        default: nil
        }
    }

    /// Whether the caller gets only public data of a service. Requests that the user named get all data.
    func seesPublicOnly(_ plugin: String?, _ request: GateRequest, of service: any VideoService) -> Bool {
        (plugin != nil || !isNamed(request)) && !given(to: plugin).contains(.account(service.name))
    }

    /// Calls a service on behalf of a plugin or the user.
    static func asked<Value>(
        publicOnly: Bool, _ body: () throws(ServiceError) -> Value
    ) throws(ServiceError) -> Value {
        publicOnly ? try PublicOnly.withValue(body) : try body()
    }
}
