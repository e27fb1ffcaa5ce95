// The HTML page that plays a queue of videos. Players require the page's origin, so a page opened as a file only links
// to the watch pages. All text is untrusted: it is escaped for its context, and only http and https URLs become links.

import Basics
import VideoModel

/// An HTML page that plays a queue of videos when it is served over http, and links to them otherwise. It contacts only
/// the visible player and runs only its own script.
public enum PlayerPage {
    /// The page as HTML.
    ///
    /// - Parameters:
    ///   - videos: the queue, in playing order.
    ///   - title: the query.
    public static func html(of videos: [Video], title: String) -> String {
        let shown = Text.clean(title)
        let entries = videos.compactMap(Entry.init)
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(Escape.html(policy(entries)))">
            <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
            <meta name="color-scheme" content="dark">
            <meta name="referrer" content="strict-origin-when-cross-origin">
            <title>\(Escape.html(shown.isEmpty ? "Play" : shown))</title>
            <style>\(style)</style>
            </head>
            <body>
            <div id="stage" hidden><div id="frame"></div></div>
            <header id="top" hidden><h1 id="now" dir="auto"></h1><button id="close" type="button" \
            aria-label="Close (Escape)">\(icon("M6 6l12 12M18 6L6 18"))</button></header>
            <div id="notice" role="alert" hidden><p id="words"></p><a id="instead" rel="noopener"></a></div>
            <footer id="bottom" hidden>
            <button id="previous" type="button" aria-label="Previous (P)">\(icon("M19 5v14L8 12zM6 5v14"))</button>
            <button id="toggle" type="button" aria-label="Play or pause (Space)">\(icon("M4 5v14l9-7zM17 5v14M21 5v14"))</button>
            <button id="next" type="button" aria-label="Next (N)">\(icon("M5 5v14l11-7zM18 5v14"))</button>
            <span id="state" role="status"></span>
            <a id="watch" rel="noopener">Watch<span> page</span></a>
            <button id="list" type="button" aria-expanded="false" aria-controls="queue">Queue</button>
            </footer>
            <main id="queue">
            <h2 id="asked" dir="auto">\(Escape.html(shown.isEmpty ? "Play" : shown))</h2>
            <p id="why">Here the videos cannot play in the page: a player wants to know which site it is on, and a file is on \
            none. Each title leads to the page to watch; <code>ythost play \u{2026} --serve</code> plays them here.</p>
            <ol>
            \(entries.map(\.markup).joined(separator: "\n"))
            </ol>
            </main>
            <script>\(script)</script>
            </body>
            </html>

            """
    }

    private static func icon(_ path: String) -> String {
        "<svg viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"\(path)\"/></svg>"
    }

    /// Marks the page as served, so that closing it stops the server.
    static func served(_ page: [UInt8]) -> [UInt8] {
        // Text in the page cannot contain this mark, because `<` is escaped.
        let mark = Array("\n<body>\n".utf8)
        guard let place = page.firstRange(of: mark) else { return page }
        return page[..<place.lowerBound] + Array("\n<body data-served>\n".utf8) + page[place.upperBound...]
    }

    /// The content security policy. It allows the page's own style and script, its videos' players, and requests to its
    /// own server.
    private static func policy(_ entries: [Entry]) -> String {
        let hosts = Set(entries.compactMap(\.player).compactMap(origin)).sorted().joined(separator: " ")
        return "default-src 'none'; style-src 'sha256-\(styleHash)'; script-src 'sha256-\(scriptHash)'; "
            + "connect-src 'self'; frame-src \(hosts.isEmpty ? "'none'" : hosts); base-uri 'none'; form-action 'none'"
    }

    private static func origin(_ address: String) -> String? {
        guard let address = WebAddress(address), let scheme = address.scheme, let host = address.host else {
            return nil
        }
        return "\(scheme)://\(host)" + (address.port.map { ":\($0)" } ?? "")
    }

    /// A video in the queue.
    private struct Entry {
        let player: String?
        let markup: String

        /// nil when the video has no watch page.
        init?(_ video: Video) {
            guard let url = video.url.flatMap(Escape.webAddress) else { return nil }
            var options = Embed.Options()
            options.followsClick = true
            options.parameters = [.init("autoplay", .bool(true)), .init("youtube.playsinline", .bool(true))]
            let embed = try? Embed(video, options)
            player = embed?.address
            var facts: [String] = []
            if let channel = video.channel.title { facts.append("<bdi>\(Escape.html(Text.clean(channel)))</bdi>") }
            if let duration = video.duration { facts.append(VideoDuration.format(duration)) }
            if let published = video.published { facts.append(Timestamp.format(published, as: .date)) }
            if let reason = embed?.reason { facts.append(Escape.html(reason)) }
            var attributes = ""
            if let player { attributes += " data-player=\"\(Escape.html(player))\"" }
            if let reason = embed?.reason { attributes += " data-reason=\"\(Escape.html(reason))\"" }
            if let embed, embed.height > embed.width { attributes += " class=\"upright\"" }
            let title = Escape.html(Text.clean(video.title ?? video.id ?? url))
            markup = """
                <li\(attributes)><div dir="auto"><a class="play" href="\(Escape.html(url))" rel="noopener">\(title)</a>
                <small>\(facts.joined(separator: " \u{B7} "))</small></div></li>
                """
        }
    }
}
