// What the person who runs the command has at services: keys and tokens that are kept, and what was spent with them.

import Basics
import HostErrors
import VideoServices
import WebClient

/// The account that the person who runs the command has at a service.
public struct ServiceAccount {
    private let service: any AccountService

    /// The services that have accounts, by name.
    public static func names(_ setup: ServiceSetup) -> [String] { all(setup).map(\.name) }

    private static func all(_ setup: ServiceSetup) -> [any AccountService] {
        BundledServices.all(setup.network()).compactMap { $0 as? any AccountService }
    }

    /// - Throws: `.unknownSource` when the service has no accounts, or there is none of that name.
    public init(_ name: String, _ setup: ServiceSetup) throws(HostError) {
        let all = Self.all(setup)
        guard let service = all.first(where: { $0.name == name }) else {
            throw .unknownSource(name: name, known: all.map(\.name))
        }
        self.service = service
    }

    /// How to come by a key.
    public var guide: String { service.guide }

    /// Whether tokens are got by asking for them (`AccountLogin`).
    public var gives: Bool { service is any ConsentService }

    /// What keys are called there.
    public var noun: String { gives ? "token" : "key" }

    /// The accounts that are kept, a row each.
    public func list() throws(HostError) -> [[String]] {
        let accounts = try checked { () throws(ServiceError) in try service.accounts() }
        return [["", "PROFILE", "PERSON", "SCOPES", "FROM"]]
            + accounts.map { account in
                [
                    account.isChosen ? "*" : "", account.profile ?? "-", account.person ?? "-",
                    account.scopes?.joined(separator: " ") ?? "-", Self.origins[account.origin] ?? account.origin,
                ]
            }
    }

    private static let origins = [
        "own": "made by hand", "client": "the app alone", "code": "consent in a browser",
        Account.damaged: "damaged: log in again",
    ]

    /// Makes a profile the one that is used when none is named.
    public func choose(_ profile: String) throws(HostError) {
        try checked { () throws(ServiceError) in try service.choose(profile: profile) }
    }

    /// The variable that gives a key in place of those that are kept, where it does: what is said of a profile then holds
    /// only once it is named.
    public var overriding: String? { service.isOverridden ? service.secretVariable : nil }

    /// What the service says of the key that is used.
    public func verify() throws(HostError) -> [[String]] {
        let account = try checked { () throws(ServiceError) in try service.verify() }
        return [
            ["service", service.name], ["profile", account.profile ?? "- (from a variable)"],
            ["person", account.person ?? "-"], ["scopes", account.scopes?.joined(separator: " ") ?? "-"],
        ]
    }

    /// The profile that is used when none is named; nil when there is no such key.
    public func chosen() -> String? { (try? service.accounts())?.first { $0.isChosen }?.profile }

    private func checked<Value>(_ body: () throws(ServiceError) -> Value) throws(HostError) -> Value {
        do throws(ServiceError) { return try body() } catch { throw .service(error) }
    }

    /// A login by asking for a token.
    public func login() throws(HostError) -> AccountLogin {
        guard let service = service as? any ConsentService else {
            throw .usage(
                "\(service.name) has keys alone, which are made on its pages", hint: "ythost login \(service.name)")
        }
        return AccountLogin(service)
    }

    /// Tries a key and keeps it.
    ///
    /// - Returns: where it is kept.
    public func logIn(_ key: String, profile: String?) throws(HostError) -> String {
        do throws(ServiceError) { return try service.keep(key, profile: profile) } catch { throw .service(error) }
    }

    /// Whether there was a key of that profile; nil for the chosen one.
    public func logOut(profile: String?) throws(HostError) -> Bool {
        do throws(ServiceError) { return try service.forget(profile: profile) } catch { throw .service(error) }
    }

    /// What was spent of what services allow, a row a bucket, of all services that have a key.
    ///
    /// - Parameter time: epoch seconds of the day that is asked about; nil for today.
    /// - Throws: why the first has none, when none has; that counts cannot be read.
    public static func quotas(_ setup: ServiceSetup, at time: Int64? = nil) throws(HostError) -> [[String]] {
        var rows: [[String]] = []
        var failure: ServiceError?
        for service in all(setup) {
            do throws(ServiceError) {
                rows += try service.quotas(at: time).map { row(service.name, $0.bucket, $0.status) }
            } catch {
                if case .unreachable(_, .notCounted) = error { throw .service(error) }
                failure = failure ?? error
            }
        }
        if rows.isEmpty, let failure { throw .service(failure) }
        return [["SERVICE", "BUCKET", "SPENT", "LIMIT", "LEFT", "BEGINS ANEW"]] + rows
    }

    private static func row(_ service: String, _ bucket: String, _ status: QuotaStatus) -> [String] {
        [
            service, bucket, "\(status.spent)", status.limit.map(String.init) ?? "-",
            status.isExhausted ? "0 (as the service says)" : status.left.map(String.init) ?? "-",
            status.resets.map { Timestamp.format($0, as: .rfc3339) } ?? "-",
        ]
    }
}
