internal import Concurrency
internal import Products
internal import TestSupport

/// A server on loopback as the upstream of `http`.
final class LoopbackUpstream: ContractUpstream {
    private enum Mode: Sendable {
        case body([UInt8])
        case failing, hanging
    }

    private let mode: Shared<Mode>
    let server: ScriptedUpstream

    init() {
        let mode = Shared(Mode.failing)
        self.mode = mode
        server = ScriptedUpstream { connection in
            while connection.readRequest() != nil {
                switch mode.withLock({ $0 }) {
                case .body(let body): connection.respond(body: body)
                case .failing: connection.respond(status: "503 Service Unavailable")
                case .hanging: return connection.waitForClose()
                }
            }
        }
    }

    func serve(_ products: [any Product]) throws {
        let body = try Catalogue(products: products).encoded
        mode.withLock { $0 = .body(body) }
    }

    func fail() {
        mode.withLock { $0 = .failing }
    }

    func hang() {
        mode.withLock { $0 = .hanging }
    }

    func waitForCaller() async {
        await server.wait { events in events.contains { if case .request = $0 { true } else { false } } }
    }

    func waitForCancellation() async {
        await server.wait { events in events.contains { if case .closedByClient = $0 { true } else { false } } }
    }

    func stop() {
        server.stop()
    }
}
