// The page that `play` puts beside what was found: it leads to the videos. What is easily got wrong: texts are strangers',
// so each is escaped for where it stands, and only http and https addresses are links.

import VideoModel

/// One HTML file that leads to videos. It asks nobody for anything, and nothing runs in it.
public enum PlayerPage {
    /// The page.
    ///
    /// - Parameters:
    ///   - videos: in the order they are to be watched.
    ///   - title: what was asked for.
    public static func html(of videos: [Video], title: String) -> String {
        let shown = Text.clean(title)
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="strict-origin-when-cross-origin">
            <title>\(Escape.html(shown.isEmpty ? "Play" : shown))</title>
            <style>
            body { font: 1.1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 40rem; padding: 0 1rem }
            a.play { border: 2px solid; border-radius: .5rem; display: block; font-size: 1.3rem; padding: 1rem;
            overflow-wrap: anywhere; text-decoration: none }
            small { opacity: .75 }
            </style>
            </head>
            <body>
            <main>
            \(videos.map(entry).joined(separator: "\n"))
            </main>
            </body>
            </html>

            """
    }

    private static func entry(_ video: Video) -> String {
        guard let url = video.url.flatMap(Escape.webAddress) else { return "" }
        let title = Escape.html(Text.clean(video.title ?? video.id ?? url))
        var facts: [String] = []
        if let channel = video.channel.title { facts.append(Escape.html(Text.clean(channel))) }
        if let duration = video.duration { facts.append(VideoDuration.format(duration)) }
        if let published = video.published { facts.append(Timestamp.format(published, as: .date)) }
        return """
            <p dir="auto"><a class="play" href="\(Escape.html(url))" rel="noopener">\u{25B6} \(title)</a>
            <small>\(facts.joined(separator: " \u{B7} "))</small></p>
            """
    }
}
