// The player page's script. It controls players with window messages and loads no third-party script: YouTube's in the
// protocol of its iframe API, Vimeo's in that of its player SDK. It accepts messages only from the frame's window and
// the player's origin. The content security policy names this script by its hash: when the script changes, update the
// hash; a test prints the new one.

import Basics

extension PlayerPage {
    static let scriptHash = "YeyecB83nu2rLCqicq3LcbrqN4GQ2bkRTJPO9nAXPFg="
    static var script: String { "\n" + String(decoding: Resource.playerScript.bytes.dropLast(), as: UTF8.self) }
}
