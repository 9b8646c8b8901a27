internal import CEventShim

/// Counts the connections of all loops of a server.
@safe
final class ConnectionCensus: @unchecked Sendable {
    let shim: OpaquePointer

    /// `nil` when there is no memory.
    init?(_ options: HTTPServerOptions) {
        let made = unsafe larder_census_new(
            max(0, options.maximumConnections), max(0, options.maximumConnectionsPerAddress))
        guard let made = unsafe made else { return nil }
        unsafe shim = made
    }

    deinit { unsafe larder_census_release(shim) }
}
