// Real pictures of 16 by 8 pixels, made for these tests: the left half red, the right half blue. What moves goes on with green.

import Foundation

enum PictureSamples {
    private static func bytes(_ text: String) -> [UInt8] { Data(base64Encoded: text).map(Array.init) ?? [] }

    static let jpeg = bytes(
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdB"
            + "RkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09P"
            + "T09PT09PT09PT09PT0//wAARCAAIABADAREAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAABQb/xAAUEAEAAAAAAAAAAAAA"
            + "AAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABwX/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCfRiSCMQqf"
            + "/9k=")
    static let png = bytes(
        "iVBORw0KGgoAAAANSUhEUgAAABAAAAAICAIAAAB/FOjAAAAAGUlEQVR42mP8z4AdMDJgl2FiIBGMaiAGAAAAcAIPoa5pZQAA"
            + "AABJRU5ErkJggg==")
    static let gif = bytes(
        "R0lGODdhEAAIAIEAAP8AAAAA/wAAAAAAACwAAAAAEAAIAAAIJAABCBwoMIDBgwYJEkSIUOFAhgcdFoQYQCIAihUlYrS4USPF"
            + "gAA7")
    static let webp = bytes(
        "UklGRj4AAABXRUJQVlA4IDIAAACQAQCdASoQAAgAAoBCJaACdLoAA5gA/vJ///rVf/+Fa/7sF2B/6rP/vYEh/72A9wAAAA==")
    static let lossless = bytes(
        "UklGRiYAAABXRUJQVlA4TBkAAAAvD8ABAA8Q87//8x8OxILJ/KU7U4jof+QAAA==")
    static let movingGIF = bytes(
        "R0lGODlhEAAIAIEAAP8AAAAA/wAAAAAAACH5BAAKAAAALAAAAAAQAAgAAAgkAAEIHCgwgMGDBgkSRIhQ4UCGBx0WhBhAIgCK"
            + "FSVitLhRI8WAACH5BAEKAAEALAAAAAAQAAgAgQD/AAAAAAAAAAAAAAgVAAEIHEiwoMGDCBMqXMiwocOHCAMCADs=")
    static let movingWebP = bytes(
        "UklGRo4AAABXRUJQVlA4WAoAAAACAAAADwAABwAAQU5JTQYAAAAAAAAAAABBTk1GMgAAAAAAAAAAAA8AAAcAAGQAAAJWUDhM"
            + "GQAAAC8PwAEADxDzv//zHw7Egsn8pTtTiOh/ZAAAQU5NRigAAAAAAAAAAAAPAAAHAABkAAAAVlA4TA8AAAAvD8ABAAfQ/4j+"
            + "ByKi/wEA")

    static let all = [
        ("jpeg", jpeg), ("png", png), ("gif", gif), ("webp", webp), ("lossless", lossless), ("moving gif", movingGIF),
        ("moving webp", movingWebP),
    ]
}
