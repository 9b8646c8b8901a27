internal import CEventShim

extension HTTPServerOptions {
    var shim: larder_server_options {
        larder_server_options(
            max_head_bytes: max(0, maximumHeadBytes), max_body_bytes: max(0, maximumBodyBytes),
            idle_timeout: milliseconds(idleTimeout), write_timeout: milliseconds(writeTimeout),
            request_deadline: milliseconds(requestDeadline), backlog: Int32(clamping: backlog))
    }

    /// At least one, unless it is none at all: a short time must not become an endless one.
    private func milliseconds(_ duration: Duration) -> UInt32 {
        guard duration > .zero else { return 0 }
        return max(1, UInt32(clamping: Int64(duration / .milliseconds(1))))
    }
}
