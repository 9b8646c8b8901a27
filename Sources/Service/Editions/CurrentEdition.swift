internal import Concurrency
internal import HTTPServer
internal import Health
internal import Providers
internal import Serving

/// The edition of new requests. It is replaced as a whole: a request gets either the old or the new one.
final class CurrentEdition: Sendable {
    /// One per event loop, so that no loop waits for another.
    let copies: [EditionCopy]

    /// - Parameters:
    ///   - loops: the number of event loops.
    ///   - signal: signals the catalogues for which the responses are prepared.
    init(_ edition: Edition, loops: Int = 1, signal: CatalogueSignal = CatalogueSignal()) {
        copies = (0..<max(1, loops)).map { _ in EditionCopy(edition) }
        signal.subscribe(self) { current, change in
            await current.edition.responses.prepare(change.answer, replacing: change.replaced)
            return []
        }
    }

    /// The edition in force. Users keep it until their work is done, which keeps its components open.
    ///
    /// There is one writer at a time; after setting, every loop has the new edition.
    var edition: Edition {
        get { copies[0].edition }
        set { for copy in copies { copy.edition = newValue } }
    }
}

/// Reports the troubles of the edition in force. One that is refused neither adds nor ends any.
struct EditionTroubles: TroubleReporting {
    private let current: @Sendable () -> Edition?

    init(_ current: CurrentEdition) { self.current = { [weak current] in current?.edition } }

    var troubles: [Trouble] { current()?.troubles ?? [] }
}

/// The edition in force for one event loop. Only that loop reads it, so its lock is free except during a reload.
final class EditionCopy: Sendable {
    private let current: Mutex<Edition>

    init(_ edition: Edition) {
        current = Mutex(edition)
    }

    var edition: Edition {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}

/// Passes requests of one event loop to the edition in force, and keeps that edition until the response is made.
final class EditionHandler: HTTPPortHandler {
    private let current: EditionCopy
    private let choose: @Sendable (Edition) -> any HTTPPortHandler

    /// - Parameter choose: chooses the handler for clients or for operators.
    init(current: EditionCopy, choose: @escaping @Sendable (Edition) -> any HTTPPortHandler) {
        (self.current, self.choose) = (current, choose)
    }

    func respond(to request: HTTPRequest) throws -> EventualResponse {
        let edition = current.edition
        defer { withExtendedLifetime(edition) {} }
        let eventual = try choose(edition).respond(to: request)
        guard case .pending(let rest) = eventual else { return eventual }
        return .pending {
            defer { withExtendedLifetime(edition) {} }
            return try await rest()
        }
    }

    func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock {
        choose(current.edition).fields(for: refused)
    }

    func bodyLimit(of head: HTTPRequest) -> Int { choose(current.edition).bodyLimit(of: head) }
}
