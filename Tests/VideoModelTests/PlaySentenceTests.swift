// What sentences want played.

import Testing
import VideoModel

@Suite struct PlaySentenceTests {
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
        #expect(PlaySentence.subject(of: text) == subject)
    }

    @Test(
        "any other sentence wants nothing played",
        arguments: [
            "display settings", "player one", "playlist of songs", "playing now", "what can I play", "I play chess", "",
            " ",
            "please", "\"play\"", "Ｐｌａｙer", "how do I play chess",
        ])
    func nothing(text: String) {
        #expect(PlaySentence.subject(of: text) == nil)
    }
}
