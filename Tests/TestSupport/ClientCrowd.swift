internal import Glibc

/// Many clients of one server at the same moment, each on a connection of its own that is kept open.
///
/// The calls block, and so are made on a thread of their own.
public final class ClientCrowd: Sendable {
    /// Where they are connected to.
    private let port: Int
    private let connections: Shared<[ClientConnection]>

    /// Connects so many clients.
    ///
    /// - Throws: `NoConnection` when the server or the limit of open files does not allow as many.
    public init(count: Int, port: Int) async throws {
        self.port = port
        OpenFiles.raiseLimit()
        let opened = await BackgroundThread.run { (0..<count).compactMap { _ in ClientConnection(to: port) } }
        connections = Shared(opened)
        guard opened.count == count else {
            leave()
            throw NoConnection(opened: opened.count, wanted: count)
        }
    }

    /// Some of the connections could not be opened.
    public struct NoConnection: Error {
        let opened: Int
        let wanted: Int
    }

    /// Sends a request on one connection.
    public func send(_ target: String, by client: Int) async {
        let connection = connections.withLock { $0[client] }
        await BackgroundThread.run { connection.send(target) }
    }

    /// Sends a request as it stands, or the beginning of one, on one connection.
    public func send(text: String, by client: Int) async {
        let connection = connections.withLock { $0[client] }
        await BackgroundThread.run { connection.send(text: text) }
    }

    /// Sends a request on every connection, one right after the other, without waiting for an answer.
    public func sendAll(_ target: String, except absent: Set<Int> = []) async {
        let all = present(absent)
        await BackgroundThread.run { for connection in all { connection.send(target) } }
    }

    /// The answers to what was sent, by client in their order; `nil` where none comes within 20 seconds.
    public func answers(except absent: Set<Int> = []) async -> [ClientAnswer?] {
        let all = present(absent)
        return await BackgroundThread.run { all.map { $0.answer() } }
    }

    /// Resets one connection.
    public func reset(_ client: Int) {
        connections.withLock { $0[client] }.reset()
    }

    /// Closes all connections.
    public func leave() {
        for connection in connections.withLock({ $0 }) { connection.close() }
    }

    private func present(_ absent: Set<Int>) -> [ClientConnection] {
        connections.withLock { all in all.indices.filter { !absent.contains($0) }.map { all[$0] } }
    }
}
