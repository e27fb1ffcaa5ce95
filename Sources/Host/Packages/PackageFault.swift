// Faults of shared packages. ErrorReport+Sharing.swift has their texts.

/// Why a package cannot be installed, changed or run.
public enum PackageFault: Error, Sendable, Equatable {
    /// The manifest is missing.
    case noManifest(place: String)
    case badManifest(place: String, reason: String)
    /// A forbidden file, by its path in the package.
    case badFile(path: String, reason: String)
    /// The package exceeds a size limit.
    case tooMuch(reason: String)
    case badArchive(place: String, reason: String)
    case badSource(String, reason: String)
    /// git could not fetch the package.
    case git(source: String, reason: String)
    /// The archive could not be downloaded.
    case download(source: String, reason: String)
    /// A required program or library is not installed.
    case missingTool(String, package: String)
    case badLock(path: String, reason: String)
    case newerLock(path: String, version: Int64)
    /// A package folder or lock that is unsafe to change, for example a link.
    case badPlace(path: String, reason: String)
    /// Files in a package's folder that do not belong to the package.
    case strangers(place: String, files: [String])
    /// Values of a lock that do not match the package, each with the actual value.
    case falseLock(package: String, lock: String, facts: [String])
    /// Files that do not match the lock, each with the difference.
    case differs(package: String, lock: String, changes: [String])
    /// Only locked plugins may run, and this one is not locked.
    case unlocked(path: String)
    case unknown(package: String, lock: String, near: String?)
    /// The name is in use: by a package from `source`, or by other files when it is nil.
    case taken(package: String, lock: String, source: String?)
    /// Several packages have a plugin of this name.
    case ambiguous(plugin: String, packages: [String])
    /// The user's and the project's packages have different plugins of this name.
    case ambiguousPlace(plugin: String, paths: [String])
    /// Another process is changing the same packages.
    case busy(folder: String)
    /// An invalid signature.
    case signature(package: String, reason: String)
    /// The lock names a signer, and the package is not signed.
    case signatureGone(of: String)
    /// An update is signed by `signer`, and the installed package by `before`.
    case otherSigner(package: String, signer: String, before: String)
    /// A required signature is missing.
    case unsigned(package: String, reason: String)
    case older(package: String, have: String, found: String)
    /// The user did not accept a change. `grants` are the new grants it requests.
    case consent(package: String, grants: [String])
    case policy(path: String, line: Int?, reason: String)
    /// A policy forbids it.
    case refused(String, policy: String)
}
