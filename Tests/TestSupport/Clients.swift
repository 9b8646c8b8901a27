internal import EventLoop
package import Networking

/// Limits so wide that a test which means none of them does not meet them, even on a busy machine.
package let wide = HTTPClientLimits(connectTimeout: .seconds(20), timeout: .seconds(20), body: 1 << 20)

/// Runs a test with a client on loops of its own, and shuts both down in the right order.
package func withClient(loops count: Int = 1, _ body: (HTTPClient) async throws -> Void) async throws {
    let group = try EventLoopGroup(count: count)
    let client = HTTPClient(loops: group.loops, userAgent: UserAgent(version: "1.2.3"))
    try await attempt {
        try await body(client)
    } finally: {
        await client.shutdown()
        await group.shutdown()
    }
}

/// The same against an upstream that follows a script.
package func withClient(
    against script: @escaping @Sendable (UpstreamConnection) -> Void,
    _ body: (HTTPClient, ScriptedUpstream) async throws -> Void
) async throws {
    let upstream = ScriptedUpstream(script)
    defer { upstream.stop() }
    try await withClient { try await body($0, upstream) }
}
