internal import Concurrency
package import HTTPServer
internal import JSON
package import Logging
internal import ServiceLifecycle

/// A shop's API to practise with: it serves a catalogue and fails on demand.
package struct PracticeUpstream: Service {
    /// Where it listens.
    package let port: Int
    private let server: HTTPServer
    private let logger: Logger

    /// Binds the port and serves from now on.
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

    /// Closes the port; what hangs on purpose is cut off.
    package func stop() async {
        await server.stop(deadline: .milliseconds(100))
    }
}

/// `GET /products` of the practice upstream: the catalogue, or what the fault makes of it.
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

/// `PUT /_fault?mode=…` switches a fault on, `GET /_fault` tells which one is.
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

    /// The fault that is switched on.
    var fault: PracticeFault {
        get { state.withLock(\.fault) }
        set { state.withLock { $0.fault = newValue } }
    }

    /// How often the catalogue was asked for, also when the answer was a fault.
    var requests: Int { state.withLock(\.requests) }

    /// Counts a request, and tells what it gets.
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

/// How the practice upstream misbehaves.
enum PracticeFault: Sendable, Hashable {
    /// Not at all.
    case none
    /// Closes the connection without an answer.
    case down
    /// Resets the connection.
    case reset
    /// Never answers.
    case hang
    /// Answers late, but whole.
    case slow
    /// Answers with this status.
    case status(Int)
    /// Announces the whole body, sends half of it and closes.
    case truncate
    /// Answers 200 with a page for people.
    case html
    /// Answers with a catalogue without products.
    case empty
    /// Answers with fewer than half of the products.
    case shrink

    private static let named: [String: PracticeFault] = [
        "none": .none, "down": .down, "reset": .reset, "hang": .hang, "slow": .slow, "truncate": .truncate,
        "html": .html, "empty": .empty, "shrink": .shrink,
    ]

    /// The values of `?mode=`.
    static let modes = "none down reset hang slow status=503 truncate html empty shrink"

    /// The fault of a mode; `nil` when there is no such mode.
    init?(mode: String) {
        if let named = Self.named[mode] {
            self = named
        } else if mode.hasPrefix("status="), let status = Int(mode.dropFirst(7)), (200...599).contains(status) {
            self = .status(status)
        } else {
            return nil
        }
    }

    /// The mode that stands for it.
    var mode: String {
        if case .status(let status) = self { return "status=\(status)" }
        return Self.named.first { $0.value == self }?.key ?? "none"
    }
}
