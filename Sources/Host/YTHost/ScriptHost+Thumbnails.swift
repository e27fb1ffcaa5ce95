// `ythost thumbnail`: resolves URLs to records and records to pictures, and fetches these in parallel. YouTube pictures
// need no record, because their URLs follow from the video id.

import Basics
import Files
import Gate
import Glibc
import HostErrors
import Packages
import Pictures
import Pipeline
import RecordStreams
import Threads
import VideoFormats
import VideoModel
import VideoServices
import WebClient
import WorkerHost

extension ScriptHost {
    /// Fetches the pictures of the URLs in a request's arguments and of the records in its inputs.
    ///
    /// - Parameters:
    ///   - check: called with the number of pictures before those that are not available yet are fetched.
    ///   - take: called with each fetched picture, on any thread. It may release the bytes.
    /// - Throws: `.usage` for an argument that names no video, `.nothingMatched` when there is no record, and errors
    ///   from `check` and `take`.
    public func thumbnails(
        of request: RunRequest, _ wanted: ThumbnailRequest, check: (Int) throws(HostError) -> Void = { _ in },
        _ take: @escaping @Sendable (inout ThumbnailOutcome) throws(HostError) -> Void
    ) throws(HostError) -> [ThumbnailOutcome] {
        var endpoints = HostPatterns(request.grants.forThisRun).endpoints
        var subjects: [PictureSubject] = []
        var pages: [(place: Int, origin: FeedSource)] = []
        for word in request.arguments {
            if let ref = try? MediaRef.parse(word), ref.provider == "youtube", ref.kind == .video {
                let video = Video([.provider: .text("youtube"), .id: .text(ref.id), .url: .text(ref.url)])
                subjects.append(PictureSubject(name: word, video: video))
                continue
            }
            guard word.contains(".") || word.mentions("://") else {
                throw .usage(
                    "'\(Text.clean(word))' names no video",
                    hint: "an address of a video or a page, or the id of a video of YouTube")
            }
            let origin = try FeedSource.page(word)
            if let endpoint = origin.address.flatMap(HostPattern.init)?.endpoint { endpoints.append(endpoint) }
            pages.append((subjects.count, origin))
            subjects.append(PictureSubject(name: word, video: Video([.url: .text(origin.name)])))
        }
        let direct = DirectPictures(timeout: wanted.timeout)
        let found = try records(of: request, pages.map(\.origin), direct)
        for (place, origin) in pages {
            if let record = found.first(where: { $0.name == origin.name }) { subjects[place].video = record.video }
        }
        if !request.inputs.isEmpty { subjects += found }
        for place in subjects.indices {
            subjects[place].choices = Thumbnail.choices(of: subjects[place].video, wanted.wish)
        }
        try check(subjects.count)
        return try fetched(subjects, wanted, endpoints, direct, take)
    }

    /// Reads the metadata of pages and the records of inputs in a worker.
    private func records(
        of request: RunRequest, _ pages: [FeedSource], _ direct: DirectPictures
    ) throws(HostError) -> [PictureSubject] {
        guard !pages.isEmpty || !request.inputs.isEmpty else { return [] }
        var request = request
        request.arguments = []
        request.origins = pages
        request.product = .pictures
        request.isTerminal = false
        request.budgets.output = min(request.budgets.output, 64 << 20)
        let sink = MemorySink()
        do throws(HostError) { _ = try runIsolated(request, pictures: direct, to: sink) } catch {
            // A failed page is reported separately; the other pages can still succeed.
            guard pages.count > 1, case .nothingMatched = error else { throw error }
        }
        return PictureSubject.all(in: sink.text)
    }

    private static let mostAtOnce = 6

    private func fetched(
        _ subjects: [PictureSubject], _ wanted: ThumbnailRequest, _ endpoints: [WebEndpoint],
        _ direct: DirectPictures, _ take: @escaping @Sendable (inout ThumbnailOutcome) throws(HostError) -> Void
    ) throws(HostError) -> [ThumbnailOutcome] {
        struct State {
            var next = 0, done = 0
            var outcomes: [ThumbnailOutcome]
            var failure: HostError?
        }
        let stems = PictureName.stems(of: subjects)
        let state = Monitor(
            State(outcomes: zip(subjects, stems).map { ThumbnailOutcome(name: Text.clean($0.name), stem: $1) }))
        let network = self.network
        let work = { @Sendable () -> Void in
            while true {
                let claimed: (Int, ThumbnailOutcome)? = state.withLock { state in
                    guard state.next < subjects.count else { return nil }
                    defer { state.next += 1 }
                    return (state.next, state.outcomes[state.next])
                }
                guard let (place, begun) = claimed else { return }
                var outcome = begun
                var failure: HostError?
                outcome.fetch(subjects[place], wanted, network, endpoints, direct)
                if outcome.failure == nil {
                    do throws(HostError) { try take(&outcome) } catch { failure = error }
                }
                state.withLock { state in
                    state.outcomes[place] = outcome
                    state.failure = state.failure ?? failure
                    state.done += 1
                }
            }
        }
        for _ in 0..<min(Self.mostAtOnce, subjects.count) where !Thread.start(work) {
            work()
            break
        }
        return try state.wait { state -> Result<[ThumbnailOutcome], HostError>? in
            guard state.done == subjects.count else { return nil }
            return state.failure.map { .failure($0) } ?? .success(state.outcomes)
        }?.get() ?? []
    }
}

extension ThumbnailOutcome {
    fileprivate mutating func fetch(
        _ subject: PictureSubject, _ wanted: ThumbnailRequest, _ network: Network, _ endpoints: [WebEndpoint],
        _ direct: DirectPictures
    ) {
        let job = ThumbnailJob(subject.choices, wanted.wish, timeout: wanted.timeout)
        while case .http(let request)? = job.wanted {
            do throws(HostError) {
                let response =
                    if let kept = direct.answer(at: request.address.description) { kept } else {
                        try request.sendAsNamed(by: network, within: .infinity, except: endpoints)
                    }
                job.take(.success(.answer(response, calls: 0, remark: nil)))
            } catch { job.take(.failure(error)) }
        }
        guard let picture = job.picture else {
            failure = job.failure?.report?.message ?? job.reason
            return
        }
        (kind, suffix) = (picture.head.kind.rawValue, picture.head.kind.suffix)
        (width, height) = (picture.head.width, picture.head.height)
        bytes = picture.bytes
        count = bytes.count
    }
}
