// What the player page does. It speaks to players by messages between windows, without any script of theirs: YouTube's in
// the words of its own iframe API, Vimeo's in those of its player SDK. Messages count only from the frame's own window
// and its player's origin. Its policy names this text by its hash, so a changed byte needs the new hash beside it; a test
// says which.

import Basics

extension PlayerPage {
    static let scriptHash = "YeyecB83nu2rLCqicq3LcbrqN4GQ2bkRTJPO9nAXPFg="
    static var script: String { "\n" + String(decoding: Resource.playerScript.bytes.dropLast(), as: UTF8.self) }
}
