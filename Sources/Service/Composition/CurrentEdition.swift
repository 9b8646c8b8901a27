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
