// What can be wrong with a package that somebody shares, as facts. ErrorReport+Sharing.swift has the words.

/// Why a package is not taken, not changed or not run.
public enum PackageFault: Error, Sendable, Equatable {
    /// Nothing there says what the package is.
    case noManifest(place: String)
    case badManifest(place: String, reason: String)
    /// A file that a package may not have, by its path in the package.
    case badFile(path: String, reason: String)
    /// More than a package may hold.
    case tooMuch(reason: String)
    case badArchive(place: String, reason: String)
    case badSource(String, reason: String)
    /// git could not fetch it.
    case git(source: String, reason: String)
    /// No archive came from its address.
    case download(source: String, reason: String)
    /// A program or library that the work needs.
    case missingTool(String, package: String)
    case badLock(path: String, reason: String)
    case newerLock(path: String, version: Int64)
    /// A folder of packages, or its lock, that would have changes reach elsewhere.
    case badPlace(path: String, reason: String)
    /// Files in a package's place that no package brought.
    case strangers(place: String, files: [String])
    /// What a lock says of a package that the package itself does not, each with what it is.
    case falseLock(package: String, lock: String, facts: [String])
    /// Files that are not what the lock says, each with what is the matter.
    case differs(package: String, lock: String, changes: [String])
    /// Only what is locked may run, and this is not.
    case unlocked(path: String)
    case unknown(package: String, lock: String, near: String?)
    /// There is something of that name already: the source it came from, or nil for files that are no package's.
    case taken(package: String, lock: String, source: String?)
    /// Several packages have a plugin of that name.
    case ambiguous(plugin: String, packages: [String])
    /// The user's packages and the project's have different plugins of that name.
    case ambiguousPlace(plugin: String, paths: [String])
    /// Another ythost is changing the same packages.
    case busy(folder: String)
    /// A signature that does not hold.
    case signature(package: String, reason: String)
    /// The lock names a signer, and nobody signed what is there.
    case signatureGone(of: String)
    /// Somebody else signed what would take the place of a signed package: who, and who had signed that.
    case otherSigner(package: String, signer: String, before: String)
    /// There must be a signature.
    case unsigned(package: String, reason: String)
    case older(package: String, have: String, found: String)
    /// Nobody agreed to a change; the grants that are new with it.
    case consent(package: String, grants: [String])
    case policy(path: String, line: Int?, reason: String)
    /// The user's policy refuses it.
    case refused(String, policy: String)
}
