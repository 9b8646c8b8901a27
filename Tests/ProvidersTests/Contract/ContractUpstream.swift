internal import Concurrency
internal import FileSystem
internal import Products
internal import ProvidersTestSupport
internal import TestSupport

/// What a provider under contract gets its products from: a scripted provider, a server on loopback, a file.
///
/// The suite drives all of them alike and so need not know which one it has.
protocol ContractUpstream: Sendable {
    /// From now on it has these products.
    func serve(_ products: [any Product]) throws
    /// From now on it fails.
    func fail() throws
    /// From now on it keeps every caller waiting.
    func hang()
    /// Returns as soon as a caller waits.
    func waitForCaller() async
    /// Returns as soon as a caller that waited has gone.
    func waitForCancellation() async
    /// Resumes all waiting requests.
    func stop()
}

/// A file as the upstream of `file`, which never keeps anybody waiting.
struct FileUpstream: ContractUpstream {
    let directory: TemporaryDirectory

    var path: String { directory("products.json") }

    func serve(_ products: [any Product]) throws {
        try Files.replace(path, with: try Catalogue(products: products).encoded, temporary: directory("new"))
    }

    func fail() throws {
        try Files.remove(path)
    }

    func hang() {}

    func waitForCaller() async {}

    func waitForCancellation() async {}

    func stop() {}
}

/// A scripted provider as the upstream of a strategy or decorator.
struct ProviderUpstream: ContractUpstream {
    let provider: ScriptedProvider
    let wall: ManualWallClock

    func serve(_ products: [any Product]) throws {
        provider.works(try Catalogue(products: products), wall)
    }

    func fail() {
        provider.fails(.upstreamStatus(503, retryAfter: nil))
    }

    func hang() {
        provider.hold()
    }

    func waitForCaller() async {
        await provider.wait(parked: 1)
    }

    func waitForCancellation() async {
        await provider.wait(cancellations: 1)
    }

    func stop() {
        provider.release()
    }
}

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
        await server.wait(requests: 1)
    }

    func waitForCancellation() async {
        await server.wait { events in events.contains { if case .closedByClient = $0 { true } else { false } } }
    }

    func stop() {
        server.stop()
    }
}
