import EventLoop
import HTTPServer
import Locks

@testable import Service
import TestSupport

/// An upstream that answers with whatever a test puts on its shelf.
final class ScriptedShop: Sendable {
    let port: Int
    private let runtime: Runtime
    private let server: HTTPServer
    private let shelf: Shelf

    init() async throws {
        let shelf = Shelf()
        runtime = try Runtime(threads: 1, logger: LogRecorder().logger)
        server = HTTPServer(
            loops: runtime.loops.loops, address: HTTPAddress(host: "127.0.0.1", port: 0),
            handler: ClosureHTTPHandler { _ in shelf.response }, onError: { _, _ in })
        self.shelf = shelf
        do { try await server.start() } catch {
            await runtime.shutdown()
            throw error
        }
        port = Int(server.port ?? 0)
    }

    func serve(_ text: String) {
        serve(HTTPResponse(status: .ok, headers: ["Content-Type": "application/json"], body: HTTPBody(text: text)))
    }

    func serve(_ response: HTTPResponse) {
        shelf.response = response
    }

    func close() async {
        await server.stop(deadline: .zero)
        await runtime.shutdown()
    }

    private final class Shelf: Sendable {
        private let kept = Mutex(HTTPResponse(status: .ok, body: HTTPBody(text: "[]")))

        var response: HTTPResponse {
            get { kept.withLock { $0 } }
            set { kept.withLock { $0 = newValue } }
        }
    }
}
