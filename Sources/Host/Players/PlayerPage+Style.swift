// The player page's style sheet. The content security policy names it by its hash: when the style changes, update the
// hash; a test prints the new one.

import Basics

extension PlayerPage {
    static let styleHash = "kQNtckejveBxgPYfCk0FOXAmdbHRvi//WAlkeCEm1DQ="
    // Bars of equal height keep the frame centred in windows of any shape.
    static var style: String { "\n" + String(decoding: Resource.playerStyle.bytes.dropLast(), as: UTF8.self) }
}
