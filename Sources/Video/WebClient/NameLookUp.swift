// Resolves host names for external programs, so that they can be pinned to checked addresses.

import Glibc

package enum NameLookUp {
    /// The addresses of a host. All of them are public; empty if the name cannot be resolved.
    ///
    /// - Parameter isBehindProxy: whether a proxy resolves the name. Then only the name itself can be checked.
    /// - Throws: `.refusedTarget` if any of the addresses is not public.
    package static func publicAddresses(of host: String, isBehindProxy: Bool) throws(WebError) -> [String] {
        let bare = WebEnvironment.bare(host)
        if let address = NetworkAddress(loose: bare) {
            guard address.isPublic else { throw .refusedTarget(host: host, address: address.description) }
            return [address.description]
        }
        if isBehindProxy {
            if WebEnvironment.isLocal(bare) { throw .refusedTarget(host: host, address: host) }
            return []
        }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(bare, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: [String] = []
        var entry = list
        while let place = entry?.pointee {
            if let pointer = place.ai_addr, let socket = NetworkAddress.socket(pointer, length: Int(place.ai_addrlen)) {
                guard socket.address.isPublic else {
                    throw .refusedTarget(host: host, address: socket.address.description)
                }
                found.append(socket.address.description)
            }
            entry = place.ai_next
        }
        return found
    }
}
