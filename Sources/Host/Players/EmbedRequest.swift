// What `embed` is asked for: addresses, and how their players are shown. Nothing is asked of any service.

import Basics
import HostErrors
import Packages
import VideoModel

/// The markup of the players of addresses.
public struct EmbedRequest: Sendable {
    public var addresses: [String] = []
    private var options = Embed.Options()

    public init() {}

    /// What may be said, as the command has it.
    public static let flags: [HostFlag] = [
        HostFlag("facade", nil, .plain, "a picture that becomes the player when it is clicked; nobody is asked before"),
        HostFlag("live", nil, .plain, "a channel's broadcast instead of its uploads"),
        HostFlag("title", nil, .value("TEXT"), "the player's name for screen readers"),
        HostFlag("width", nil, .value("N"), "pixels, 200 to 7680; 640 when absent"),
        HostFlag("height", nil, .value("N"), "pixels, 200 to 7680; follows from the width when absent"),
        HostFlag("fixed", nil, .plain, "of that size always, not as wide as there is room"),
        HostFlag("eager", nil, .plain, "loaded with the page, not when it comes near the window"),
        HostFlag("cookies", nil, .plain, "the services' hosts that remember viewers"),
        HostFlag("picture", nil, .value("URL"), "of a facade: an address of https, or of the scheme data"),
        HostFlag(
            "player", nil, .value("NAME=VALUE,…"),
            "what the player takes: start=1m30s,autoplay=1,rel=0,hl=de; repeatable"),
    ]

    /// Sets what a flag says.
    ///
    /// - Throws: `.usage` for a value that it does not take.
    public mutating func set(_ flag: String, _ value: String) throws(HostError) {
        switch flag {
        case "facade": options.isFacade = true
        case "live": options.isLive = true
        case "title": options.title = value
        case "width": options.width = try size(value, flag)
        case "height": options.height = try size(value, flag)
        case "fixed": options.isResponsive = false
        case "eager": options.isLazy = false
        case "cookies": options.isPrivate = false
        case "picture":
            guard Embed.isPicture(value) else {
                throw .usage(
                    "--picture: '\(Text.clean(String(value.prefix(100))))' is no address of https, nor of a picture"
                        + " of the scheme data",
                    hint: "--picture https://example.org/a.jpg")
            }
            options.picture = value
        default:
            do throws(EmbedProblem) {
                options.parameters += try Embed.parameters(in: value, after: options.parameters)
            } catch { throw .usage("--player \(Text.clean(value)): \(error.description)") }
        }
    }

    private func size(_ value: String, _ flag: String) throws(HostError) -> Int64 {
        guard let size = Int64(value), Embed.sizes.contains(size) else {
            throw .usage(
                "--\(flag): '\(value)' is no whole number from \(Embed.sizes.lowerBound) to \(Embed.sizes.upperBound)")
        }
        return size
    }

    /// The markup, an element an address.
    ///
    /// - Throws: `.usage` for an address that names nothing, and for parameters that its player does not take.
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

    /// Only a channel's id leads to its broadcast; a name of one becomes a link that says so.
    private func checkLive(_ ref: MediaRef, _ text: String) throws(HostError) {
        guard ref.provider != "youtube" || ![.channel, .handle, .custom].contains(ref.kind) else { return }
        throw .usage(
            "\(Text.clean(text)): --live is about a channel of YouTube by its id, and this is a "
                + (ref.kind == .user ? "user's name" : "\(ref.kind.rawValue) of \(ref.provider)"),
            hint: "https://www.youtube.com/channel/UC…, or leave --live out")
    }
}

extension EmbedProblem {
    /// The problem, and what may have been meant.
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
