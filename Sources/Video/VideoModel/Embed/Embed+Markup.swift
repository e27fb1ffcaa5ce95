// HTML markup of an embed. Titles and URLs are untrusted: each is escaped for its context.

import Basics

extension Embed {
    /// The HTML: one element, followed by a script for a facade. No style sheet is required.
    public var html: String {
        switch kind {
        case .frame: options.isResponsive ? box(frame(fills: true)) : frame(fills: false)
        case .facade: facade
        case .link: card
        }
    }

    /// The script of a facade. A page's Content-Security-Policy must allow it in `script-src`.
    public static let facadeScript =
        "(d=>{if(!location.protocol.startsWith(\"http\"))return;const a=d.querySelector(\"a\");"
        + "a.addEventListener(\"click\",e=>{if(e.button||e.ctrlKey||e.metaKey||e.shiftKey||e.altKey)return;"
        + "e.preventDefault();d.replaceChildren(d.querySelector(\"template\").content.cloneNode(true));"
        + "d.querySelector(\"iframe\").focus()})})(document.currentScript.previousElementSibling)"

    /// The permissions of the player's frame (the `allow` attribute).
    public static let permissions =
        "accelerometer; autoplay; clipboard-write; encrypted-media; gyroscope; picture-in-picture"

    private func frame(fills: Bool) -> String {
        let style = fills ? "position:absolute;inset:0;width:100%;height:100%;border:0" : "border:0"
        return "<iframe src=\"\(Escape.html(address ?? ""))\" width=\"\(width)\" height=\"\(height)\""
            + " title=\"\(Escape.html(title))\" loading=\"\(options.isLazy && !options.isFacade ? "lazy" : "eager")\""
            + " referrerpolicy=\"strict-origin-when-cross-origin\" allow=\"\(Self.permissions)\""
            + (hasFullScreen ? " allowfullscreen" : "") + " style=\"\(style)\"></iframe>"
    }

    /// A box with the aspect ratio of the frame. If responsive, it fills the available width.
    private func box(_ content: String, style: String = "") -> String {
        let room =
            !options.isResponsive ? "width:\(width)px" : options.width.map { "max-width:\($0)px" } ?? "width:100%"
        return
            "<div class=\"ythost-embed\" style=\"position:relative;\(room);aspect-ratio:\(width)/\(height)\(style)\">"
            + content + "</div>"
    }

    private var facade: String {
        let picture = options.picture.flatMap(Self.picture).map {
            "<img src=\"\(Escape.html($0))\" alt=\"\" loading=\"lazy\" referrerpolicy=\"no-referrer\""
                + " style=\"position:absolute;inset:0;width:100%;height:100%;object-fit:cover\">"
        }
        let link =
            "<a href=\"\(Escape.html(link ?? address ?? ""))\" rel=\"noopener\" style=\"position:absolute;inset:0;"
            + "display:flex;align-items:center;justify-content:center;color:#fff;text-decoration:none\">"
            + (picture ?? "")
            + "<span style=\"position:relative;padding:.5em 1em;max-width:80%;background:#000c;border-radius:.5em;"
            + "overflow-wrap:anywhere\">\u{25B6} <bdi>\(Escape.html(title))</bdi></span></a>"
        return box(link + "<template>\(frame(fills: true))</template>", style: ";background:#000")
            + "<script>\(Self.facadeScript)</script>"
    }

    private var card: String {
        let shown = "<bdi>\(Escape.html(title))</bdi>"
        let linked = link.map { "<a href=\"\(Escape.html($0))\" rel=\"noopener\">\(shown)</a>" } ?? shown
        return "<p class=\"ythost-embed\">\(linked)" + (reason.map { " <small>\(Escape.html($0))</small>" } ?? "")
            + "</p>"
    }

    /// Whether a facade can show this picture.
    public static func isPicture(_ text: String) -> Bool { picture(text) != nil }

    /// An https URL, or a base64 data URL of an image type that cannot contain scripts. Otherwise nil.
    private static func picture(_ text: String) -> String? {
        if let address = Escape.webAddress(text), address.hasPrefix("https://") { return address }
        let kinds = ["jpeg", "png", "webp", "gif", "avif"]
        guard let kind = kinds.first(where: { text.hasPrefix("data:image/\($0);base64,") }) else { return nil }
        let data = text.utf8.dropFirst("data:image/\(kind);base64,".utf8.count)
        let isBase64 = data.allSatisfy {
            ByteScanner.isLetter($0) || ByteScanner.isDigit($0) || "+/=".utf8.contains($0)
        }
        return isBase64 ? text : nil
    }
}
