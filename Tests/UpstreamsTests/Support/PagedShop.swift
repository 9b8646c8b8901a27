internal import Products
internal import ProvidersTestSupport
internal import TestSupport

/// An upstream that gives its products two on a page, and can be made to do it badly.
final class PagedShop: Sendable {
    /// How a connection ends in the middle of page 2.
    enum Death: Sendable {
        case truncated, reset
    }

    struct State: Sendable {
        var products = makeProducts(count: 5)
        /// How many products slip in before each page but the first.
        var shift = 0
        /// The totals that pages tell wrongly, each once.
        var wrongTotals: [Int: Int] = [:]
        /// The product that has no name.
        var badItem: Int?
        var statuses: [Int: String] = [:]
        var bodies: [Int: String] = [:]
        var death: Death?
    }

    /// The fields of `http` that fit.
    static let pagination = "pagination: { type: page, total: { header: X-Total }, size: 2, max_pages: 9 }"

    private let state = Shared(State())

    /// Whatever it does from now on.
    func change(_ change: @escaping @Sendable (inout State) -> Void) {
        state.withLock { change(&$0) }
    }

    /// What it does to a connection.
    var script: @Sendable (UpstreamConnection) -> Void {
        { [self] connection in
            while let head = connection.readRequest() {
                let page = head.split(separator: " ")[1].last.flatMap(\.wholeNumberValue) ?? 1
                guard answer(connection, page) else { return }
            }
        }
    }

    /// Whether the connection is to be kept.
    private func answer(_ connection: UpstreamConnection, _ page: Int) -> Bool {
        let (state, total) = state.withLock { state in
            (state, state.wrongTotals.removeValue(forKey: page) ?? state.products.count)
        }
        let body = state.bodies[page].map { Array($0.utf8) } ?? body(state, page)
        if page == 2, let death = state.death {
            connection.write("HTTP/1.1 200 OK\r\nX-Total: \(total)\r\nContent-Length: \(body.count)\r\n\r\n")
            connection.write(Array(body.prefix(body.count / 2)))
            if death == .reset { connection.resetAtEnd() }
            return false
        }
        connection.respond(status: state.statuses[page] ?? "200 OK", headers: "X-Total: \(total)\r\n", body: body)
        return true
    }

    private func body(_ state: State, _ page: Int) -> [UInt8] {
        let start = page == 1 ? 0 : 2 * (page - 1) - state.shift
        let items = state.products.indices.dropFirst(start).prefix(2).map { index in
            index == state.badItem ? #"{"type":"physical","id":"bad"}"# : Self.item(state.products[index])
        }
        return Array("[\(items.joined(separator: ","))]".utf8)
    }

    private static func item(_ product: any Product) -> String {
        guard let catalogue = try? Catalogue(products: [product]) else {
            preconditionFailure("no catalogue can hold \(product.id)")
        }
        return String(String(decoding: catalogue.encoded, as: UTF8.self).dropFirst().dropLast())
    }
}
