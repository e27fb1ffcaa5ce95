// Pictures in a program that embeds ythost: nothing is decoded in its own process.

import TestSupport
import Testing

@testable import Basics
@testable import Gate
@testable import HostErrors
@testable import Pictures
@testable import Pipeline
@testable import Sandbox
@testable import VideoModel
@testable import WorkerHost

@Suite struct PictureTests {
    /// What is told when that decodes a picture.
    private func refusal(by decoder: PictureDecoder?) -> String? {
        do throws(HostError) {
            _ = try TerminalImageOptions().drawn(PictureBytes.gif(9, 9), by: decoder)
            return nil
        } catch { return error.report?.message }
    }

    @Test("a host that knows no decoder refuses, and says what it takes")
    func refused() {
        #expect(refusal(by: nil)?.contains("decoded by a program of their own") == true)
        let missing = refusal(by: PictureDecoder(program: "/nowhere/ythost"))
        #expect(missing?.contains("no picture can be decoded") == true)
        // A program that is no ythost.
        #expect(refusal(by: PictureDecoder(program: "/bin/echo"))?.contains("without a word") == true)
    }

    @Test("what a worker asks to be drawn is drawn within bounds, or is badly made")
    func wire() {
        var screen = TerminalImageOptions()
        (screen.columns, screen.rows, screen.colours, screen.symbols) = (33, 7, .many, "half")
        guard case .draw(let bytes, let read)? = WireMessage(.draw([1, 2], screen), for: nil).request else {
            Issue.record("it is not read")
            return
        }
        #expect(bytes == [1, 2] && read == screen)
        screen.columns = 5000
        #expect(WireMessage(.draw([], screen), for: nil).request == nil)
    }

    @Test("names of files are of harmless letters, and no name stands twice")
    func names() {
        func subject(_ provider: String?, _ id: String?, _ url: String? = nil) -> PictureSubject {
            PictureSubject(
                name: "",
                video: .init([.provider: .init(provider), .id: .init(id), .url: .init(url), .title: .text("T!")]))
        }
        let stems = PictureName.stems(of: [
            subject("youtube", "-abc_DEF123"), subject("x", "../../etc/passwd"), subject(nil, nil),
            subject("web", "https://e.org/a%2Fb", "https://e.org/pics/..%2f.bashrc"), subject("x", "a\u{0}\n\u{202E}ü"),
            subject("youtube", "-abc_DEF123"), subject("web", "https://e.org/", "https://e.org/p/Some.Photo.JPEG"),
            subject("x", String(repeating: "long", count: 99)),
        ])
        #expect(stems[0] == "youtube--abc_DEF123" && stems[1] == "x-etc-passwd" && stems[2] == "T-")
        #expect(stems[3] == "e.org-bashrc" && stems[4] == "x-a-" && stems[5] == "youtube--abc_DEF123-2", "\(stems)")
        #expect(stems[6] == "e.org-Some.Photo")
        #expect(stems.allSatisfy { $0.utf8.count <= 80 && !$0.hasPrefix(".") && !$0.contains("/") })
    }
}
