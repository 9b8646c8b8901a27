internal import API
internal import Concurrency
internal import HTTPServer
internal import Products

/// The edition that new requests get. Swapped as a whole: a request has the old one or the new one, and no part of the
/// other.
final class CurrentEdition: ProductsProvider {
    /// One for each event loop, so that no loop waits for another.
    let copies: [EditionCopy]

    /// - Parameter loops: how many event loops ask.
    init(_ edition: Edition, loops: Int = 1) {
        copies = (0..<max(1, loops)).map { _ in EditionCopy(edition) }
    }

    /// The edition in force. Who works with it holds it until the work is done, which keeps what it uses open.
    ///
    /// It is set by one at a time, and when that is done every loop has the new one.
    var edition: Edition {
        get { copies[0].edition }
        set { for copy in copies { copy.edition = newValue } }
    }

    /// Asks the graph in force, as a request of the service itself.
    func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let edition = edition
        defer { withExtendedLifetime(edition) {} }
        return try await edition.provider.products(for: request)
    }
}

/// Where one event loop finds the edition in force. Nobody else asks here, so its lock is free but for the moment of a
/// reload.
final class EditionCopy: Sendable {
    private let current: Mutex<Edition>

    init(_ edition: Edition) {
        current = Mutex(edition)
    }

    /// The edition in force.
    var edition: Edition {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}

/// Answers each request of one event loop by the edition that is in force when it comes, and holds on to that edition
/// until the answer is there.
struct EditionHandler: HTTPHandler {
    let current: EditionCopy
    /// Selects the handler of an edition: the one for clients, or the one for operators.
    let choose: @Sendable (Edition) -> any HTTPHandler

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        let edition = current.edition
        defer { withExtendedLifetime(edition) {} }
        let answer = try choose(edition).answer(to: request)
        guard case .pending(let rest) = answer else { return answer }
        return .pending {
            defer { withExtendedLifetime(edition) {} }
            return try await rest()
        }
    }

    func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock {
        choose(current.edition).fields(for: refused)
    }
}
