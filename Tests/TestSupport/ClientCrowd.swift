internal import Glibc

/// Many clients of one server at the same moment, each on a connection of its own that is kept open.
///
/// The calls block, and so are made on a thread of their own.
package final class ClientCrowd: Sendable {
    private let clients: [RawClient]
    /// Whether the answers that are to come have no bodies, by client.
    private let bodyless: Shared<[[Bool]]>

    /// Connects so many clients.
    ///
    /// - Throws: when the server or the limit of open files does not allow as many.
    package init(count: Int, port: Int) async throws {
        Self.raiseLimit()
        clients = try await BackgroundThread.run { try (0..<count).map { _ in try RawClient(port: port) } }
        bodyless = Shared(Array(repeating: [], count: count))
    }

    /// Sends a request on one connection.
    package func send(_ target: String, by client: Int) async {
        await send(text: Self.get(target), by: client)
    }

    /// Sends a request as it stands, or the beginning of one, on one connection.
    package func send(text: String, by client: Int) async {
        await BackgroundThread.run { [self] in say(text, client) }
    }

    /// Sends a request on every connection, one right after the other, without waiting for an answer.
    package func sendAll(_ target: String, except absent: Set<Int> = []) async {
        await BackgroundThread.run { [self] in for client in present(absent) { say(Self.get(target), client) } }
    }

    /// The answers to what was sent, by client in their order; `nil` where none comes within 20 seconds.
    package func answers(except absent: Set<Int> = []) async -> [RawResponse?] {
        await BackgroundThread.run { [self] in present(absent).map(answer) }
    }

    /// Resets one connection.
    package func reset(_ client: Int) { clients[client].reset() }

    /// Closes all connections.
    package func leave() { for client in clients { client.close() } }

    private func present(_ absent: Set<Int>) -> [Int] { clients.indices.filter { !absent.contains($0) } }

    /// A failure shows in the answer that does not come.
    private func say(_ text: String, _ client: Int) {
        bodyless.withLock { $0[client].append(text.hasPrefix("HEAD ")) }
        try? clients[client].send(text)
    }

    private func answer(_ client: Int) -> RawResponse? {
        let isBodyless = bodyless.withLock { $0[client].isEmpty ? false : $0[client].removeFirst() }
        return try? clients[client].receive(bodyless: isBodyless)
    }

    private static func get(_ target: String) -> String { "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" }

    /// Raises the limit of open files to what the system allows.
    private static func raiseLimit() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
