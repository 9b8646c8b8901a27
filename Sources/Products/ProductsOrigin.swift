/// Where a snapshot was read from.
public enum ProductsOrigin: String, Sendable, Hashable, CaseIterable, Codable {
    /// An upstream, over the network.
    case network
    /// A store on this machine, written after an earlier success.
    case store
    /// A file that was shipped with the service.
    case bundled
}
