internal import Configuration

extension NetworkAddress {
    /// Whether two servers cannot listen on both. Names are compared as written, without a look-up.
    func collides(with other: NetworkAddress) -> Bool {
        port == other.port && port != 0 && (host == other.host || covers(other) || other.covers(self))
    }

    /// Whether this stands for all addresses of the other one's IP version.
    private func covers(_ other: NetworkAddress) -> Bool {
        switch host {
        case "0.0.0.0": other.host.allSatisfy { $0.isNumber || $0 == "." }
        case "::": other.host.contains(":")
        default: false
        }
    }
}
