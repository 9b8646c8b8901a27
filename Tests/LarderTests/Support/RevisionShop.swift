import Concurrency
import EventLoop
import HTTPServer

/// An upstream whose catalogue is another one at each request: all products of a revision bear its number, and their
/// count differs from that of the next.
final class RevisionShop: Sendable {
    private struct State {
        var isOn = false
        var revision = 0
        var watchers: [(revision: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    let port: Int
    private let loops: EventLoopGroup
    private let server: HTTPServer
    private let shelf: Shelf

    init() async throws {
        let shelf = Shelf()
        loops = try EventLoopGroup(count: 1)
        server = HTTPServer(
            loops: loops.loops, address: HTTPAddress(host: "127.0.0.1", port: 0),
            handler: ClosureHTTPHandler { _ in shelf.next() }, onError: { _, _ in })
        self.shelf = shelf
        do { try await server.start() } catch {
            await loops.shutdown()
            throw error
        }
        port = Int(server.port ?? 0)
    }

    /// The revision that was sent last.
    var revision: Int { shelf.state.withLock(\.revision) }

    func turn(on isOn: Bool) {
        shelf.state.withLock { $0.isOn = isOn }
    }

    /// Returns as soon as a revision is asked for.
    func wait(for revision: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = shelf.state.withLock { state in
                guard state.revision < revision else { return true }
                state.watchers.append((revision, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    func close() async {
        await server.stop(deadline: .zero)
        await loops.shutdown()
    }

    /// How many products a revision has.
    static func count(of revision: Int) -> Int { 200 + revision % 7 }

    private final class Shelf: Sendable {
        let state = Mutex(State())

        func next() -> HTTPResponse {
            let (revision, watchers) = state.withLock { state -> (Int?, [CheckedContinuation<Void, Never>]) in
                guard state.isOn else { return (nil, []) }
                state.revision += 1
                let revision = state.revision
                let met = state.watchers.filter { $0.revision <= revision }
                state.watchers.removeAll { $0.revision <= revision }
                return (revision, met.map(\.continuation))
            }
            for watcher in watchers { watcher.resume() }
            var response = HTTPResponse(status: .ok, body: HTTPBody(text: revision.map(Self.catalogue) ?? ""))
            if revision == nil { response.delivery = .dropped }
            return response
        }

        private static func catalogue(_ revision: Int) -> String {
            let products = (0..<RevisionShop.count(of: revision)).map { index in
                #"{"type":"physical","id":"\#(index)","name":"rev \#(revision)","price":{"amount":1,"currency":"EUR"}}"#
            }
            return "[" + products.joined(separator: ",") + "]"
        }
    }
}
