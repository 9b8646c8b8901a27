internal import Concurrency
package import HTTPServer
internal import JSON
package import Logging
internal import ServiceLifecycle

/// A shop's API to practise with: it serves a catalogue and fails on demand.
package struct PracticeUpstream: Service {
    /// The port in use.
    package let port: Int
    private let server: HTTPServer
    private let logger: Logger

    /// Binds the port and starts to serve.
    ///
    /// - Parameter server: makes the server of these handlers.
    package init(
        catalogue: PracticeCatalogue, logger: Logger, server: ((Int) -> any HTTPPortHandler) -> HTTPServer
    ) async throws {
        let shelf = PracticeShelf(catalogue: catalogue)
        let router = Router([
            Route(.get, "/products", PracticeProductsHandler(shelf: shelf)),
            Route(.get, "/_fault", PracticeFaultHandler(shelf: shelf)),
            Route(.put, "/_fault", PracticeFaultHandler(shelf: shelf)),
        ])
        self.server = server { _ in router }
        self.logger = logger
        try await self.server.start()
        port = self.server.port.map(Int.init) ?? 0
    }

    package func run() async throws {
        logger.notice(
            "practice upstream serving",
            metadata: ["port": .stringConvertible(port), "modes": "\(PracticeFault.modes)"])
        try await gracefulShutdown()
        await stop()
    }

    /// Closes the port and cuts off hanging requests.
    package func stop() async {
        await server.stop(deadline: .milliseconds(100))
    }
}

/// `GET /products` of the practice upstream: the catalogue, subject to the current fault.
struct PracticeProductsHandler: HTTPHandler {
    let shelf: PracticeShelf
    var clock: any Clock<Duration> = ContinuousClock()

    func respond(to request: HTTPRequest) -> EventualResponse {
        .pending { try await response(to: request) }
    }

    private func response(to request: HTTPRequest) async throws -> HTTPResponse {
        switch shelf.nextFault() {
        case .none: return json(shelf.whole)
        case .down: return json(shelf.whole, .dropped)
        case .reset: return json(shelf.whole, .reset)
        case .hang:
            try await clock.sleep(for: .seconds(3600))
            return json(shelf.whole, .dropped)
        case .slow:
            try await clock.sleep(for: .seconds(1))
            return json(shelf.whole)
        case .status(let code): return ProblemDetails(status: HTTPStatus(code: code, reason: "On Request")).response()
        case .truncate: return json(shelf.whole, .cut(after: shelf.whole.count / 2))
        case .html:
            return HTTPResponse(
                status: .ok, headers: ["Content-Type": "text/html"],
                body: HTTPBody(text: "<!doctype html><title>Maintenance</title><p>Back soon.\n"))
        case .empty: return json(HTTPBody(text: "[]"))
        case .shrink: return json(shelf.shrunken)
        }
    }

    private func json(_ body: HTTPBody, _ delivery: HTTPDelivery = .whole) -> HTTPResponse {
        var response = HTTPResponse(status: .ok, headers: ["Content-Type": "application/json"], body: body)
        response.delivery = delivery
        return response
    }
}

/// `PUT /_fault?mode=…` sets the fault, `GET /_fault` shows it.
struct PracticeFaultHandler: HTTPHandler {
    let shelf: PracticeShelf

    func respond(to request: HTTPRequest) throws -> EventualResponse {
        if request.method == .put { shelf.fault = try fault(of: request) }
        return .ready(
            HTTPResponse(
                status: .ok, headers: ["Content-Type": "application/json"],
                body: HTTPBody(text: "{\"mode\":\"\(shelf.fault.mode)\",\"requests\":\(shelf.requests)}\n")))
    }

    private func fault(of request: HTTPRequest) throws -> PracticeFault {
        let mode = try request.queryItems.first { $0.name == "mode" }?.value ?? ""
        guard let fault = PracticeFault(mode: mode) else {
            throw ProblemDetails(status: .badRequest, detail: "mode is one of: \(PracticeFault.modes)")
        }
        return fault
    }
}

/// State that the practice upstream's handlers share: the bodies, the current fault, and a count.
final class PracticeShelf: Sendable {
    /// The whole catalogue.
    let whole: HTTPBody
    /// Two fifths of it.
    let shrunken: HTTPBody
    private let state = Mutex((fault: PracticeFault.none, requests: 0))

    init(catalogue: PracticeCatalogue) {
        whole = Self.body(catalogue.items)
        shrunken = Self.body(Array(catalogue.items.prefix(catalogue.items.count * 2 / 5)))
    }

    /// The current fault.
    var fault: PracticeFault {
        get { state.withLock(\.fault) }
        set { state.withLock { $0.fault = newValue } }
    }

    /// The number of requests for the catalogue, including those that got a fault.
    var requests: Int { state.withLock(\.requests) }

    /// Counts a request, and returns its fault.
    func nextFault() -> PracticeFault {
        state.withLock { state in
            state.requests += 1
            return state.fault
        }
    }

    private static func body(_ items: [JSONValue]) -> HTTPBody {
        HTTPBody(bytes: JSONValue.array(items).encoded())
    }
}

/// The faults of the practice upstream.
enum PracticeFault: Sendable, Hashable {
    /// Not at all.
    case none
    /// Closes the connection without a response.
    case down
    /// Resets the connection.
    case reset
    /// Never responds.
    case hang
    /// Responds late, but completely.
    case slow
    /// Responds with this status.
    case status(Int)
    /// Announces the whole body, sends half of it and closes.
    case truncate
    /// Responds with 200 and an HTML page.
    case html
    /// Responds with a catalogue without products.
    case empty
    /// Responds with fewer than half of the products.
    case shrink

    private static let named: [String: PracticeFault] = [
        "none": .none, "down": .down, "reset": .reset, "hang": .hang, "slow": .slow, "truncate": .truncate,
        "html": .html, "empty": .empty, "shrink": .shrink,
    ]

    /// The values of `?mode=`.
    static let modes = "none down reset hang slow status=503 truncate html empty shrink"

    /// The fault of a mode; `nil` if there is no such mode.
    init?(mode: String) {
        if let named = Self.named[mode] {
            self = named
        } else if mode.hasPrefix("status="), let status = Int(mode.dropFirst(7)), (200...599).contains(status) {
            self = .status(status)
        } else {
            return nil
        }
    }

    /// The mode of the fault.
    var mode: String {
        if case .status(let status) = self { return "status=\(status)" }
        return Self.named.first { $0.value == self }?.key ?? "none"
    }
}
