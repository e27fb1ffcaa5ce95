// Dry run: no request is sent. Cached replies are used; a missing one is recorded.

import Basics
import Gate
import HostErrors
import VideoFormats
import VideoModel
import VideoServices
import WebClient

extension DirectGate {
    /// Plans a slow request and answers it from the cache. Returns nil for other requests, which are carried out.
    ///
    /// - Throws: the errors that refuse a request before it is sent; `.notAsked` if the request needs a reply.
    func planned(_ request: GateRequest, for plugin: String?, _ dry: DryRun) throws(HostError) -> GateReply? {
        switch request {
        case .search(let source, let query, let limit, let page):
            let service = try service(named: source)
            try spendRequest()
            if dry.isNew(.search(query), at: service.name) || page == nil {
                try plan(service, dry) { () throws(ServiceError) in try service.plan(query, limit: limit, fields: []) }
            }
            return kept(service, dry, publicOnly: seesPublicOnly(plugin, request, of: service)) {
                () throws(ServiceError) in
                try service.search(query, limit: limit ?? .max, page: page)
            }
        case .lookUp(let source, let question, let limit, let page):
            let service = try service(named: source)
            try spendRequest()
            let publicOnly = seesPublicOnly(plugin, request, of: service)
            if dry.isNew(.lookUp(question), at: service.name) || page == nil {
                try plan(service, dry) { () throws(ServiceError) in
                    try Self.asked(publicOnly: publicOnly) { () throws(ServiceError) in
                        try service.plan(question, limit: limit)
                    }
                }
            }
            let standIn = Self.standIn(for: question, at: service.name)
            return kept(service, dry, standIn: standIn, publicOnly: publicOnly) {
                () throws(ServiceError) in
                try service.lookUp(question, limit: limit ?? .max, page: page)
            }
        case .plan(let source, let query, let limit, let fields):
            let service = try service(named: source)
            try plan(service, dry) { () throws(ServiceError) in try service.plan(query, limit: limit, fields: fields) }
            return .done
        case .planned(let notes, let depends, let hasFailed):
            // The failure is real if no reply was missing.
            if hasFailed, !dry.lacksAnswers { return .bytes(nil) }
            return .bytes(Array(dry.text(notes: notes, dependsOnAnswers: depends).utf8))
        case .service(let source, let question):
            let service = try service(named: source)
            try spendRequest()
            try plan(service, dry) { () throws(ServiceError) in try service.plan(question) }
            guard let answer = try? Offline.withValue({ () throws(ServiceError) in try service.request(question) })
            else {
                dry.missed()
                throw .notAsked("\(source) \(question.path)")
            }
            return .answer(answer.response, calls: 0, remark: nil)
        case .http(let request):
            return try plannedRead(request, for: plugin, dry)
        case .writeFile: return .done
        case .execute(let arguments, _, _, _): throw .notAsked(arguments.first ?? "a program")
        default: return nil
        }
    }

    private func plannedRead(
        _ request: HTTPRequest, for plugin: String?, _ dry: DryRun
    ) throws(HostError) -> GateReply {
        let named = request.origin == nil ? nil : try named(request)
        try spendRequest()
        let request = named?.0 ?? request
        let places = HostPatterns(given(to: plugin))
        var shown = request.address
        shown.query = nil
        dry.add(address: shown.description)
        let response = try? Offline.withValue { () throws(HostError) in
            if let endpoints = named?.endpoints {
                return try request.sendAsNamed(by: network, within: .infinity, except: endpoints)
            }
            return try request.send(by: network, for: plugin, places, within: .infinity)
        }
        if let response { return .answer(response, calls: 0, remark: nil) }
        if request.origin == nil { dry.missed() }
        // A caller that reads a feed, or a page that the user named, treats this as an empty one.
        if request.purpose == .feed || request.origin != nil { return .done }
        throw .notAsked(shown.description)
    }

    private func plan(
        _ service: any VideoService, _ dry: DryRun, _ plan: () throws(ServiceError) -> [PlannedCalls]
    ) throws(HostError) {
        do throws(ServiceError) { dry.add(try plan(), of: service) } catch { throw .service(error) }
    }

    /// The cached page, or a page that states that none is cached.
    private func kept(
        _ service: any VideoService, _ dry: DryRun, standIn: Video? = nil, publicOnly: Bool,
        _ page: () throws(ServiceError) -> SearchPage
    ) -> GateReply {
        let found =
            publicOnly ? try? PublicOnly.withValue({ try Offline.withValue(page) }) : try? Offline.withValue(page)
        if let found { return .page(found, source: service.name) }
        dry.missed()
        var page = SearchPage(body: standIn.map(YTHostFormat.line) ?? [], format: "ythost")
        page.isUnknown = true
        return .page(page, source: service.name)
    }

    /// A channel or playlist with only the id from the request, so that a script can go on to its items.
    private static func standIn(for question: LookUp, at service: String) -> Video? {
        switch question {
        case .channel(let text), .playlist(let text):
            Video([.provider: .text(service), .id: .text(text), .kind: .text(question.kind.rawValue)])
        case .videos, .uploads, .items: nil
        }
    }
}
