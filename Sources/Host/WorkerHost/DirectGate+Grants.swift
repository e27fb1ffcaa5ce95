// Whether who asks may: what the user granted to a plugin, and what the user named.

import Files
import Gate
import HostErrors
import Packages
import RecordStreams
import VideoServices

extension DirectGate {
    /// Everything that a plugin was given.
    func given(to path: String?) -> [Grant] {
        path.flatMap { path in plugins.last { $0.path == path } }.map(grants.grants) ?? grants.forThisRun
    }

    /// The grant as it is meant, with paths resolved, if the plugin has it.
    func checked(_ wanted: Grant, for path: String?) throws(HostError) -> Grant {
        let all = given(to: path)
        // Without any grant of the kind not even what is there is told.
        guard all.contains(where: { $0.kind == wanted.kind }) else { throw .grantMissing(plugin: path, wanted) }
        let closed = forbidden + plugins.flatMap { $0.package?.package.home.closed ?? [] }
        let wanted = try SystemAccess.resolved(wanted, forbidden: closed)
        for given in all {
            if let given = try? SystemAccess.resolved(given, forbidden: closed), given.covers(wanted) {
                return wanted
            }
        }
        throw .grantMissing(plugin: path, wanted)
    }

    /// Asks for the grant of an account, where only that may see what is asked for.
    func checkAccount(_ request: GateRequest, for plugin: String?) throws(HostError) {
        guard plugin != nil || !isNamed(request), let account = accountGrant(of: request) else { return }
        _ = try checked(account, for: plugin)
    }

    /// Whether the user named just that on the command line. That the pipeline asks is not enough: a list of origins may
    /// be anybody's, and a worker may have been taken over.
    private func isNamed(_ request: GateRequest) -> Bool {
        switch request {
        case .search(_, let query, _, _): query.options == search
        case .lookUp(_, .uploads(let text), _, _): typedOrigins.contains(FeedSource.channel(text).line)
        case .lookUp(_, .items(let text), _, _): typedOrigins.contains(FeedSource.playlist(text).line)
        default: false
        }
    }

    /// What it takes beside `search` to ask for what only an account may see.
    private func accountGrant(of request: GateRequest) -> Grant? {
        switch request {
        case .search(let source, let query, _, _):
            (try? service(named: source)).flatMap { $0.isPrivate(query) ? .account($0.name) : nil }
        case .lookUp(let source, let question, _, _):
            (try? service(named: source)).flatMap { $0.isPrivate(question) ? .account($0.name) : nil }
        default: nil
        }
    }

    /// Whether who asks is told only what everybody may see of a service. What the user names is told whole.
    func seesPublicOnly(_ plugin: String?, _ request: GateRequest, of service: any VideoService) -> Bool {
        (plugin != nil || !isNamed(request)) && !given(to: plugin).contains(.account(service.name))
    }

    /// Asks a service on behalf of a plugin, or of the user.
    static func asked<Value>(
        publicOnly: Bool, _ body: () throws(ServiceError) -> Value
    ) throws(ServiceError) -> Value {
        publicOnly ? try PublicOnly.withValue(body) : try body()
    }
}
