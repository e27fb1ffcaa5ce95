// How the player page looks. Its policy names this text by its hash, so a changed byte needs the new hash beside it; a
// test says which.

import Basics

extension PlayerPage {
    static let styleHash = "kQNtckejveBxgPYfCk0FOXAmdbHRvi//WAlkeCEm1DQ="
    // Bars of one height above and below keep the frame in the middle of the window, whatever its form.
    static var style: String { "\n" + String(decoding: Resource.playerStyle.bytes.dropLast(), as: UTF8.self) }
}
