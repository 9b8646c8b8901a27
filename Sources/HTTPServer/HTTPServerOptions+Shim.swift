internal import CEventShim

extension HTTPServerOptions {
    /// What each of so many loops is given.
    ///
    /// - Parameter tls: what encrypts the connections; nil to leave them plain.
    func shim(loops: Int, census: OpaquePointer, tls: OpaquePointer?) -> larder_server_options {
        let outstanding = max(0, maximumOutstanding)
        return unsafe larder_server_options(
            census: census, tls: tls, max_target_bytes: max(1, maximumTargetBytes),
            max_head_bytes: max(1, maximumHeadBytes), max_fields: UInt32(clamping: maximumHeaderFields),
            methods: methods.reduce(0) { $0 | 1 << $1.shim.rawValue },
            max_outstanding: UInt32(clamping: outstanding / loops + (outstanding % loops == 0 ? 0 : 1)),
            head_deadline: milliseconds(headDeadline), idle_timeout: milliseconds(idleTimeout),
            write_timeout: milliseconds(writeTimeout), min_write_rate: UInt32(clamping: minimumWriteRate),
            request_deadline: milliseconds(requestDeadline), backlog: Int32(clamping: backlog))
    }

    /// At least one, unless it is none at all: a short time must not become an endless one.
    private func milliseconds(_ duration: Duration) -> UInt32 {
        guard duration > .zero else { return 0 }
        return max(1, UInt32(clamping: Int64(duration / .milliseconds(1))))
    }
}
