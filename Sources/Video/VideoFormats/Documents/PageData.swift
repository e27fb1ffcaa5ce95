// The video of a page in JSON-LD (schema.org's VideoObject), and its author. Scripts that are not valid JSON are
// ignored.

import Basics
import JSON
import Markup

struct PageData {
    private let video: FieldValue

    init(_ tree: MarkupTree) {
        var found = FieldValue.none
        for script in tree.root.all where script.name.local == "script" {
            guard script.attribute("type")?.lowercased() == "application/ld+json" else { continue }
            let text = Array(script.text.utf8)
            guard text.count <= 1 << 20, let value = try? JSON.decode(text) else { continue }
            found = Self.videoObject(value, depth: 0)
            if !found.isNone { break }
        }
        video = found
    }

    private static func videoObject(_ value: FieldValue, depth: Int) -> FieldValue {
        if depth > 4 { return .none }
        for item in value.list ?? [] {
            let found = videoObject(item, depth: depth + 1)
            if !found.isNone { return found }
        }
        let types = value["@type"].list?.compactMap(\.text) ?? [value["@type"].text].compactMap(\.self)
        if types.contains("VideoObject") { return value }
        for name in ["@graph", "video", "mainEntity"] where !value[name].isNone {
            let found = videoObject(value[name], depth: depth + 1)
            if !found.isNone { return found }
        }
        return .none
    }

    private func text(_ value: FieldValue) -> String? {
        value.text.flatMap { FeedText.known(MarkupText.title($0)) }
    }

    var isVideo: Bool { !video.isNone }
    var name: String? { text(video["name"]) }
    var description: String? { video["description"].text }
    var duration: Int64? { video["duration"].text.flatMap(VideoDuration.parse) }
    var published: Int64? {
        ["uploadDate", "datePublished"].lazy.compactMap { video[$0].text.flatMap(Timestamp.parse) }.first
    }

    var pictures: [String] {
        let value = video["thumbnailUrl"]
        let texts = value.list?.compactMap(\.text) ?? [value.text].compactMap(\.self)
        return texts.isEmpty ? [video["thumbnail"]["url"].text].compactMap(\.self) : texts
    }

    var views: Int64? {
        let statistics = video["interactionStatistic"].list ?? [video["interactionStatistic"]]
        for statistic in statistics {
            let type = statistic["interactionType"]
            guard (type.text ?? type["@type"].text)?.hasSuffix("WatchAction") == true else { continue }
            let count = statistic["userInteractionCount"]
            if let views = count.integer ?? FeedText.count(count.text), views >= 0 { return views }
        }
        let count = video["interactionCount"]
        return (count.integer ?? FeedText.count(count.text)).flatMap { $0 >= 0 ? $0 : nil }
    }

    var author: (name: String?, url: String?)? {
        let author = video["author"].list?.first ?? video["author"]
        let name = text(author["name"]) ?? text(author)
        return name == nil && author["url"].isNone ? nil : (name, author["url"].text)
    }

    /// Microdata: an element with `itemprop="author"` that contains a name and a URL.
    static func itemAuthor(_ tree: MarkupTree) -> (name: String?, url: String?)? {
        for element in tree.root.all where element.attribute("itemprop") == "author" {
            var name: String?
            var url: String?
            for part in element.all {
                switch part.attribute("itemprop") {
                case "name": name = name ?? part.attribute("content") ?? FeedText.known(MarkupText.line(part.text))
                case "url": url = url ?? part.attribute("href")
                default: break
                }
            }
            if name != nil || url != nil { return (name, url) }
        }
        return nil
    }
}
