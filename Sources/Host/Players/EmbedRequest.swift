// The options of `embed`: addresses, and how their players are shown. No network request is made.

import Arguments
import Basics
import HostErrors
import VideoModel

/// Options for the markup of embedded players.
public struct EmbedRequest: Sendable {
    public var addresses: [String] = []
    private var options = Embed.Options()

    public init() {}

    /// The flags that set these options.
    public static let flags: [Flag<EmbedRequest>] = [
        Flag("facade", "show a picture that loads the player when clicked; no request before that") {
            $0.options.isFacade = true
        },
        Flag("live", "a channel's live broadcast instead of its uploads") { $0.options.isLive = true },
        Flag("title", value: "TEXT", "the player's name for screen readers") { $0.options.title = $1.text },
        Flag("width", value: "N", "width in pixels, 200 to 7680; default 640") { request, value throws(HostError) in
            request.options.width = try value.playerSize()
        },
        Flag("height", value: "N", "height in pixels, 200 to 7680; default from the width") {
            request, value throws(HostError) in request.options.height = try value.playerSize()
        },
        Flag("fixed", "use exactly this size, instead of filling the available width") {
            $0.options.isResponsive = false
        },
        Flag("eager", "load with the page, instead of when scrolled near") { $0.options.isLazy = false },
        Flag("cookies", "use the services' regular hosts, which set cookies") { $0.options.isPrivate = false },
        Flag("picture", value: "URL", "picture of the facade: an https or data URL") {
            request, value throws(HostError) in
            guard Embed.isPicture(value.text) else {
                throw .usage(
                    "\(value.flag): '\(Text.clean(String(value.text.prefix(100))))' is no address of https, nor of a"
                        + " picture of the scheme data",
                    hint: "--picture https://example.org/a.jpg")
            }
            request.options.picture = value.text
        },
        Flag(
            "player", value: "NAME=VALUE,…", "player parameters such as start=1m30s,autoplay=1,rel=0,hl=de; repeatable"
        ) { request, value throws(HostError) in
            do throws(EmbedProblem) {
                request.options.parameters += try Embed.parameters(in: value.text, after: request.options.parameters)
            } catch { throw .usage("\(value.flag) \(Text.clean(value.text)): \(error.description)") }
        },
    ]

    /// The markup, one element per address, separated by newlines.
    ///
    /// - Throws: `.usage` for an address without a player, and for parameters that its player does not support.
    public func markup() throws(HostError) -> String {
        var elements: [String] = []
        for text in addresses {
            let ref: MediaRef
            do throws(MediaRef.Refusal) { ref = try MediaRef.parse(text) } catch {
                throw .usage(
                    "there is no player for '\(Text.clean(text))': \(error)",
                    hint: "addresses of YouTube, Vimeo and PeerTube have one, and YouTube's ids")
            }
            if options.isLive { try checkLive(ref, text) }
            do throws(EmbedProblem) { elements.append(try Embed(ref, options).html) } catch {
                throw .usage("\(Text.clean(text)): \(error.advice)")
            }
        }
        return elements.joined(separator: "\n")
    }

    /// A broadcast can be embedded only by channel id. Channel handles and custom names become a link with an
    /// explanation.
    private func checkLive(_ ref: MediaRef, _ text: String) throws(HostError) {
        guard ref.provider != "youtube" || ![.channel, .handle, .custom].contains(ref.kind) else { return }
        throw .usage(
            "\(Text.clean(text)): --live is about a channel of YouTube by its id, and this is a "
                + (ref.kind == .user ? "user's name" : "\(ref.kind.rawValue) of \(ref.provider)"),
            hint: "https://www.youtube.com/channel/UC…, or leave --live out")
    }
}

extension EmbedProblem {
    /// The problem, with a suggestion.
    package var advice: String {
        guard case .unknown(let name, let player) = self else { return description }
        let others = EmbedPlayer.allCases.filter { other in
            other != player && other.parameters.contains { $0.name == name }
        }
        if let other = others.first {
            return "\(description); of several services' videos, \(other.rawValue).\(name) is for that player alone"
        }
        let known = ["start", "finish", "mute"] + player.parameters.map(\.name)
        return "\(description); " + Nearest.advice(for: name, among: known)
    }
}

extension FlagValue {
    fileprivate func playerSize() throws(HostError) -> Int64 {
        guard let size = Int64(text), Embed.sizes.contains(size) else {
            throw .usage(
                "\(flag): '\(text)' is no whole number from \(Embed.sizes.lowerBound) to \(Embed.sizes.upperBound)")
        }
        return size
    }
}
