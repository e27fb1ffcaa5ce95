// What `thumbnail` is asked for, and how it is had: addresses become records, records pictures, and these are fetched at
// the same time. YouTube's need no record, since their addresses follow from the video's.

import Glibc
import Threads
import VideoModel
import VideoServices
import WebClient

/// The pictures of videos.
public struct ThumbnailRequest: Sendable {
    /// What is wanted of each.
    var wish = Thumbnail.Wish()
    /// Seconds for each request.
    var timeout = ThumbnailJob.usualTimeout

    public init() {}

    /// What may be said, as the command has it.
    public static let flags: [HostFlag] = [
        HostFlag("width", nil, .value("N"), "pixels at least; the widest that is known when absent"),
        HostFlag("height", nil, .value("N"), "pixels at least"),
        HostFlag("aspect", nil, .value("W:H"), "no other shape is taken, such as 16:9 or 9:16"),
        HostFlag(
            "format", nil, .value("KIND"),
            "no other kind is taken: " + Thumbnail.Kind.allCases.map(\.rawValue).joined(separator: ", ")),
        HostFlag(
            "graphics", nil, .value("MEANS"),
            "draw with symbols, sixel or kitty; auto, as the terminal can, when absent on one"),
        HostFlag("symbols", nil, .value("SETS"), "draw with these, such as block, half, braille, ascii, joined by +"),
        HostFlag("timeout", nil, .value("SECONDS"), "for each size that is tried, 1 to 600; 15 when absent"),
    ]

    /// Sets what a flag says.
    ///
    /// - Throws: `.usage` for a value that it does not take.
    public mutating func set(_ flag: String, _ value: String) throws(HostError) {
        switch flag {
        case "width": wish.width = try pixels(value, flag)
        case "height": wish.height = try pixels(value, flag)
        case "aspect":
            guard let aspect = Thumbnail.Aspect(value) else {
                throw .usage("--aspect: '\(value)' is not written as 16:9 is, two whole numbers from 1 to 100")
            }
            wish.aspect = aspect
        case "format":
            guard let kind = Thumbnail.Kind(rawValue: value == "jpg" ? "jpeg" : value) else {
                throw .usage(
                    "--format: there is no '\(value)'; "
                        + Nearest.advice(for: value, among: Thumbnail.Kind.allCases.map(\.rawValue)))
            }
            wish.kind = kind
        default:
            guard let seconds = Double(value), HTTPRequest.timeouts.contains(seconds) else {
                throw .usage("--timeout: '\(value)' is no number of seconds from 1 to 600")
            }
            timeout = seconds
        }
    }

    private func pixels(_ value: String, _ flag: String) throws(HostError) -> Int64 {
        guard let size = Int64(value), 1...10_000 ~= size else {
            throw .usage("--\(flag): '\(value)' is no whole number of pixels from 1 to 10000")
        }
        return size
    }
}

/// What became of one of them.
public struct ThumbnailOutcome: Sendable {
    /// The address, or what the record is called.
    public var name: String
    /// What a file of it may be called, without its ending: of letters, digits, `-`, `_` and `.`, and nobody else's here.
    public var stem: String
    /// Why there is none.
    public var failure: String?
    /// Why it was not written, of one that came.
    public var writing: HostError?
    /// `jpeg`, `png` …, its size in pixels and its bytes; those are not kept of a picture that was handed on.
    public var kind = "", suffix = ""
    public var width: Int64 = 0, height: Int64 = 0
    public var bytes: [UInt8] = []
    public var count = 0

    /// What is told of a failure.
    public var report: ErrorReport? {
        writing?.report ?? failure.map { ErrorReport(code: .network, kind: "picture", message: "\(name): \($0)") }
    }
}

extension ScriptHost {
    /// Fetches the pictures of what a request names: addresses among its arguments, and the records of its inputs.
    ///
    /// - Parameters:
    ///   - check: is told how many there are before any picture is asked for that is not at hand.
    ///   - take: is given each picture that came, on any thread, and may empty it.
    /// - Throws: `.usage` for a word that names nothing, `.nothingMatched` when there is no record, and what these throw.
    public func thumbnails(
        of request: RunRequest, _ wanted: ThumbnailRequest, check: (Int) throws(HostError) -> Void = { _ in },
        _ take: @escaping @Sendable (inout ThumbnailOutcome) throws(HostError) -> Void
    ) throws(HostError) -> [ThumbnailOutcome] {
        var endpoints = NetPlaces(request.grants.forThisRun).endpoints
        var subjects: [PictureSubject] = []
        var pages: [(place: Int, origin: RunRequest.Origin)] = []
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
            let origin = try RunRequest.Origin.page(word)
            if let endpoint = origin.address.flatMap(NetPlace.init)?.endpoint { endpoints.append(endpoint) }
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

    /// What pages say of themselves, and the records of inputs, read by a worker.
    private func records(
        of request: RunRequest, _ pages: [RunRequest.Origin], _ direct: DirectPictures
    ) throws(HostError) -> [PictureSubject] {
        guard !pages.isEmpty || !request.inputs.isEmpty else { return [] }
        var request = request
        request.arguments = []
        request.origins = pages
        request.pictures = direct
        request.product = .pictures
        request.isTerminal = false
        request.budgets.output = min(request.budgets.output, 64 << 20)
        let sink = MemorySink()
        do throws(HostError) { _ = try runIsolated(request, to: sink) } catch {
            // Each page that cannot be had is told of; of several the others may be.
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
