// What sentences want played.

import Basics
import Testing
import VideoModel

@Suite struct PlayIntentTests {
    @Test(
        "a sentence that begins with play wants the rest played",
        arguments: [
            ("play kygo firestone", "kygo firestone"), ("Play  Kygo   Firestone", "Kygo Firestone"),
            ("PLAY x", "x"), ("play: x", "x"), ("please play x", "x"), ("could you please play x, please!", "x"),
            ("hey, play \"a song\"", "a song"), ("play “a song”", "a song"), ("play x.", "x"), ("play", ""),
            (" play ", ""),
            ("play play", "play"), ("play don't stop", "don't stop"), ("play https://youtu.be/x", "https://youtu.be/x"),
        ])
    func subject(text: String, subject: String) {
        #expect(PlayIntent.subject(of: text) == subject)
    }

    @Test(
        "an address or an id behind the play word is the video itself, and says where to begin",
        arguments: [
            ("play https://youtu.be/dQw4w9WgXcQ?t=42", "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42s"),
            (
                "play https://www.youtube.com/watch?v=dQw4w9WgXcQ&start=1m5s&end=90",
                "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=65s&end=90"
            ),
            ("play <https://youtu.be/dQw4w9WgXcQ> please", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
            ("https://youtu.be/dQw4w9WgXcQ?t=42", "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42s"),
            (" youtu.be/dQw4w9WgXcQ ", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
            ("play dQw4w9WgXcQ", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
            ("play 9bZkp7q19f0!", "https://www.youtube.com/watch?v=9bZkp7q19f0"),
            ("play this one: https://youtu.be/dQw4w9WgXcQ.", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
            ("play vimeo.com/76979871#t=90s", "https://vimeo.com/76979871#t=90s"),
            (
                "play https://player.vimeo.com/video/76979871?h=8272103f6e#t=5,9",
                "https://vimeo.com/76979871/8272103f6e?end=9#t=5s"
            ),
            (
                "play https://framatube.org/w/kmtJJ4jnGmKD6v9JV99Wf4?start=1m2s&stop=2m",
                "https://framatube.org/w/kmtJJ4jnGmKD6v9JV99Wf4?start=62s&stop=120s"
            ),
            ("play https://files.example/a.mp4", "https://files.example/a.mp4"),
        ])
    func namedVideo(text: String, url: String) throws {
        guard case .video(let video) = PlayIntent.named(in: text) else {
            Issue.record("nothing is named")
            return
        }
        #expect(video.url == url && video.kind == .video)
        // What was kept of the times is read again as the same times.
        if let ref = try? MediaRef.parse(url) {
            let original = try MediaRef.parse(Text.links(text).first?.url ?? video.id ?? "")
            #expect(ref.start == original.start && ref.finish == original.finish && ref.url == original.url)
        }
    }

    @Test(
        "behind the play word a channel is its uploads, and a list what is in it",
        arguments: [
            ("play https://www.youtube.com/@name", true), ("play https://vimeo.com/staff", true),
            ("play https://www.youtube.com/playlist?list=PL0123456789abcdef", false),
            ("play https://vimeo.com/showcase/123", false),
        ])
    func namedList(text: String, isUploads: Bool) {
        switch PlayIntent.named(in: text) {
        case .uploads: #expect(isUploads)
        case .items: #expect(!isUploads)
        default: Issue.record("no list is named")
        }
    }

    @Test(
        "words that look like ids are words, and without the play word only a video's address is more than words",
        arguments: [
            "play programming", "play LEDZEPPELIN", "play GreenDayNow", "play LinkinPark2", "play blink182abc",
            "play AC-DC-Music", "play hip-hop-mix", "play javascript:alert(1)", "play file:///etc/passwd",
            "play https://user@youtu.be/dQw4w9WgXcQ", "play ftp://files.example/a.mp4",
            "play https://youtu.be/dQw4w9WgXcQ or https://youtu.be/jNQXAC9IVRw", "dQw4w9WgXcQ",
            "https://www.youtube.com/@name", "https://files.example/a.mp4", "and/or", "12:30", "play 3/4", "",
            "look at https://youtu.be/dQw4w9WgXcQ", "play https://files.example/a b.mp4",
        ])
    func notNamed(text: String) {
        if let named = PlayIntent.named(in: text) { Issue.record("names \(named)") }
    }

    @Test(
        "any other sentence wants nothing played",
        arguments: [
            "display settings", "player one", "playlist of songs", "playing now", "what can I play", "I play chess", "",
            " ",
            "please", "\"play\"", "Ｐｌａｙer", "how do I play chess",
        ])
    func nothing(text: String) {
        #expect(PlayIntent.subject(of: text) == nil)
    }
}
