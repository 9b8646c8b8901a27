internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import Networking

/// The token of the error that a request ends with; nil when it does not fail.
func errorToken(_ client: HTTPClient, _ request: HTTPClientRequest) async throws -> String? {
    do {
        _ = try await client.send(request)
        return nil
    } catch let error as HTTPClientError {
        return error.token
    }
}

/// A port that takes no more connections: its queue is full, so the system ignores further ones.
final class UnansweringListener: Sendable {
    let port: Int
    private let descriptors: [Int32]

    init() {
        let (listener, port) = LoopbackSocket.listening(backlog: 0)
        self.port = port
        descriptors = [listener] + (0..<8).map { _ in LoopbackSocket.connecting(to: port) }
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }
}

/// Answers every request of a connection by its head, until the client leaves.
@Sendable func answering(
    byHead answer: @escaping @Sendable (_ head: String, UpstreamConnection) -> Void
) -> @Sendable (UpstreamConnection) -> Void {
    { connection in
        while let head = connection.readRequest() { answer(head, connection) }
    }
}

/// Reads one request and never answers it.
let silent: @Sendable (UpstreamConnection) -> Void = { connection in
    if connection.readRequest() != nil { connection.waitForClose() }
}

/// Sends one request to an upstream that answers every request in one way, and returns the response.
func response(
    _ edit: (inout HTTPClientRequest) -> Void = { _ in }, answer: @escaping @Sendable (UpstreamConnection) -> Void
) async throws -> HTTPClientResponse {
    let upstream = ScriptedUpstream(answering(answer))
    defer { upstream.stop() }
    var request = HTTPClientRequest(url: upstream.url, limits: wide)
    edit(&request)
    var found: HTTPClientResponse?
    try await withClient { found = try await $0.send(request) }
    return try #require(found)
}

extension HTTPClient {
    /// Sends a GET within the wide limits.
    func get(_ url: String, headers: [HTTPHeader] = []) async throws -> HTTPClientResponse {
        try await send(HTTPClientRequest(url: url, headers: headers, limits: wide))
    }
}

/// Runs a test with a client on the loops of another, which has options of its own.
func withOptions(
    _ options: HTTPConnectionOptions, of client: HTTPClient, _ body: (HTTPClient) async throws -> Void
) async throws {
    let own = client.connecting(by: options)
    try await attempt {
        try await body(own)
    } finally: {
        await own.shutdown()
    }
}
