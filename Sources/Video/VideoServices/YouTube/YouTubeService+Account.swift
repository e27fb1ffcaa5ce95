// Keys of the YouTube Data API: trying, keeping and forgetting them, and what was spent with one.

import Basics
import Store
import WebClient

extension YouTubeService: AccountService {
    public var secretVariable: String { Self.keyVariable }

    public var guide: String {
        """
        YouTube's Data API wants a key, which is free and made in a few minutes:

          1. open https://console.cloud.google.com/projectcreate and make a project
          2. open https://console.cloud.google.com/apis/library/youtube.googleapis.com and enable the API
          3. open https://console.cloud.google.com/apis/credentials, choose "Create credentials", then "API key"
          4. best restrict the key to the YouTube Data API

        A project has 100 searches a day, and 10,000 other calls.
        """
    }

    public func quotas(at time: Int64?) throws(ServiceError) -> [(bucket: String, status: QuotaStatus)] {
        try quota(at: time).map { ($0.bucket.rawValue, $0.status) }
    }

    /// Tries a key with a call that costs one unit, unless nothing may be sent, and keeps it for a profile, which is the
    /// chosen one from then on.
    ///
    /// - Returns: the file that keeps it.
    /// - Throws: `keyMalformed`, what the call gave, or why it cannot be kept; nothing is kept then.
    public func keep(_ text: String, profile: String?) throws(ServiceError) -> String {
        let profile = profile ?? CredentialStore.defaultProfile
        let text = Text.trimmed(text)
        guard let store = network.credentials, let folder = network.settings.configurationFolder else {
            throw .credentials(
                service: name, .cannotWrite(path: "the key", reason: "there is no home folder to keep it in"))
        }
        let (base, isSet) = try base()
        guard Self.isShaped(text, strictly: !isSet) else { throw .keyMalformed(service: name) }
        let key = Secret(text)
        if !network.settings.isOffline {
            try tryOut(
                YouTubeAccess(
                    key: key, origin: .profile(profile), base: base, isSet: isSet,
                    account: QuotaLedger.fingerprint(key)))
        }
        do throws(CredentialError) {
            try store.keep(Credentials(["key": key]), name, profile: profile)
        } catch { throw .credentials(service: name, error) }
        return "\(folder)/credentials/\(name)/\(profile)"
    }

    /// A call that costs one unit.
    private func tryOut(_ access: YouTubeAccess) throws(ServiceError) {
        var call = YouTubeCall("i18nRegions", "i18nRegions.list", .read)
        call.add("part", "snippet")
        call.add("fields", "kind")
        _ = try send(call, access, isTrial: true)
    }

    /// Asks whether the key that is used is still one. Whose it is is not to be learned.
    public func verify() throws(ServiceError) -> Account {
        if network.settings.isOffline { throw .offline(service: name) }
        let access = try access()
        try tryOut(access)
        guard case .profile(let profile) = access.origin else { return Account(origin: "own") }
        return try accounts().first { $0.profile == profile } ?? Account(profile: profile, origin: "own")
    }

    /// Deletes the key of a profile, nil for the chosen one; whether there was one.
    public func forget(profile: String?) throws(ServiceError) -> Bool {
        guard let store = network.credentials else { return false }
        do throws(CredentialError) {
            return try store.changing(name) { () throws(CredentialError) in
                let chosen = try store.chosen(name)
                let found = try store.delete(name, profile: profile ?? chosen)
                if profile ?? chosen == chosen, chosen != CredentialStore.defaultProfile {
                    try store.choose(name, profile: CredentialStore.defaultProfile)
                }
                return found
            }
        } catch { throw .credentials(service: name, error) }
    }

    /// What was spent with the key that is used, on a day.
    ///
    /// - Parameter time: epoch seconds of that day; nil for today.
    /// - Throws: `unreachable` with `WebError.notCounted` when the counts cannot be read.
    public func quota(at time: Int64? = nil) throws(ServiceError) -> [(bucket: YouTubeBucket, status: QuotaStatus)] {
        let access = try access()
        var rows: [(bucket: YouTubeBucket, status: QuotaStatus)] = []
        for kind in YouTubeBucket.allCases {
            let bucket = bucket(kind, access)
            do throws(StoreError) { rows.append((kind, try network.ledger.read(bucket, at: time))) } catch {
                throw .unreachable(service: name, .notCounted(bucket, error))
            }
        }
        return rows
    }

    /// Google's keys begin with AIza and have 39 characters; another server's may look otherwise.
    private static func isShaped(_ text: String, strictly: Bool) -> Bool {
        let isPlain = text.utf8.allSatisfy { byte in
            byte > 0x20 && byte < 0x7F && !"\"'\\<>".utf8.contains(byte)
        }
        guard isPlain, (8...200).contains(text.utf8.count) else { return false }
        return !strictly || text.hasPrefix("AIza") && text.utf8.count == 39
    }
}
