// The user's accounts at services: stored keys and tokens, and the quota spent with them.

import Basics
import HostErrors
import VideoServices
import WebClient

/// The user's account at one service.
public struct ServiceAccount {
    private let service: any AccountService

    /// The names of the services that have accounts.
    public static func names(_ setup: ServiceSetup) -> [String] { all(setup).map(\.name) }

    private static func all(_ setup: ServiceSetup) -> [any AccountService] {
        BundledServices.all(setup.network()).compactMap { $0 as? any AccountService }
    }

    /// - Throws: `.unknownSource` for an unknown service or one without accounts.
    public init(_ name: String, _ setup: ServiceSetup) throws(HostError) {
        let all = Self.all(setup)
        guard let service = all.first(where: { $0.name == name }) else {
            throw .unknownSource(name: name, known: all.map(\.name))
        }
        self.service = service
    }

    /// Instructions for getting a key.
    public var guide: String { service.guide }

    /// Whether the service gives out tokens on request (`AccountLogin`).
    public var gives: Bool { service is any ConsentService }

    /// The service's word for a key.
    public var noun: String { gives ? "token" : "key" }

    /// The stored accounts: a header and one row each.
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

    /// Makes a profile the default.
    public func choose(_ profile: String) throws(HostError) {
        try checked { () throws(ServiceError) in try service.choose(profile: profile) }
    }

    /// The environment variable that overrides the stored keys; nil when it is not set. While it is set, a stored
    /// profile applies only when named explicitly.
    public var overriding: String? { service.isOverridden ? service.secretVariable : nil }

    /// Verifies the current key with the service and returns what the service reports about it.
    public func verify() throws(HostError) -> [[String]] {
        let account = try checked { () throws(ServiceError) in try service.verify() }
        return [
            ["service", service.name], ["profile", account.profile ?? "- (from a variable)"],
            ["person", account.person ?? "-"], ["scopes", account.scopes?.joined(separator: " ") ?? "-"],
        ]
    }

    /// The default profile; nil when no key is stored.
    public func chosen() -> String? { (try? service.accounts())?.first { $0.isChosen }?.profile }

    private func checked<Value>(_ body: () throws(ServiceError) -> Value) throws(HostError) -> Value {
        do throws(ServiceError) { return try body() } catch { throw .service(error) }
    }

    /// The login flow for a token.
    ///
    /// - Throws: `.usage` when the service has only keys.
    public func login() throws(HostError) -> AccountLogin {
        guard let service = service as? any ConsentService else {
            throw .usage(
                "\(service.name) has keys alone, which are made on its pages", hint: "ythost login \(service.name)")
        }
        return AccountLogin(service)
    }

    /// Verifies a key and stores it.
    ///
    /// - Returns: the path of the file that stores it.
    public func logIn(_ key: String, profile: String?) throws(HostError) -> String {
        do throws(ServiceError) { return try service.keep(key, profile: profile) } catch { throw .service(error) }
    }

    /// Deletes the key of a profile; nil for the default profile.
    ///
    /// - Returns: whether there was one.
    public func logOut(profile: String?) throws(HostError) -> Bool {
        do throws(ServiceError) { return try service.forget(profile: profile) } catch { throw .service(error) }
    }

    /// The spent quota of all services with a key: a header and one row per bucket.
    ///
    /// - Parameter time: epoch seconds within the day to report; nil for today.
    /// - Throws: the first service's error when no service has a key, or when the counts cannot be read.
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
