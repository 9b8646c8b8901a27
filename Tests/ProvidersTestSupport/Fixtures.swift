package import FoundationEssentials
package import Products
package import Providers
internal import TestSupport
package import Tracing

package func makeProduct(
    id: String = "1", name: String = "Mug", amount: Decimal = 19.9, currency: String = "EUR", sales: Int = 0
) -> PhysicalProduct {
    PhysicalProduct(
        details: ProductDetails(id: id, name: name, price: Price(amount: amount, currency: currency), sales: sales))
}

/// How messages list the kinds.
package let knownKinds = ProductKind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")

/// Products with the ids `p0`, `p1`, …; another name makes another revision.
package func makeProducts(_ name: String = "Mug", count: Int = 3) -> [any Product] {
    (0..<count).map { makeProduct(id: "p\($0)", name: "\(name) \($0)") }
}

package func makeCatalogue(_ name: String = "Mug", count: Int = 3) -> Catalogue {
    do {
        return try Catalogue(products: makeProducts(name, count: count))
    } catch {
        fatalError("a fixture is no catalogue: \(error)")
    }
}

package func makeSnapshot(
    _ name: String = "Mug", count: Int = 3, fetchedAt: Date = ManualWallClock().now,
    origin: ProductsOrigin = .network
) -> ProductsSnapshot {
    ProductsSnapshot(catalogue: makeCatalogue(name, count: count), fetchedAt: fetchedAt, origin: origin)
}

/// A snapshot of products with these ids, all of one name.
package func makeSnapshot(
    ids: [String], name: String = "Mug", fetchedAt: Date = ManualWallClock().now
) -> ProductsSnapshot {
    do {
        let catalogue = try Catalogue(products: ids.map { makeProduct(id: $0, name: name) })
        return ProductsSnapshot(catalogue: catalogue, fetchedAt: fetchedAt, origin: .network)
    } catch {
        fatalError("a fixture is no catalogue: \(error)")
    }
}

/// The body of an upstream that speaks our own form.
package func makeBody(_ name: String = "Mug", count: Int = 3) -> [UInt8] {
    makeCatalogue(name, count: count).encoded
}

extension ProductsProvider {
    /// What a caller without wishes gets.
    package func ask(
        cause: (any RequestIdentitySource)? = nil, explanation: Explanation? = nil, order: RefreshOrder? = nil
    ) async throws -> ProductsAnswer {
        var request = ProductsRequest()
        (request.cause, request.explanation, request.order) = (cause, explanation, order)
        return try await products(for: request)
    }

    /// The failure that a caller without wishes gets; nil when there is an answer.
    package func failure() async throws -> ProductsFailure? {
        do {
            _ = try await ask()
            return nil
        } catch let failure as ProductsFailure {
            return failure
        }
    }
}

extension ProductsAnswer {
    /// The trail as it is printed.
    package var steps: [String] { trail.map(\.description) }

    /// The catalogue's name and the last step, in one line: `Mug hit`.
    package var told: String {
        let name = snapshot.products.first?.name.split(separator: " ").first ?? "nothing"
        return "\(name) \(trail.last.map { "\($0.outcome)" } ?? "nothing")"
    }
}

extension StateReporting {
    /// The state in one line: `in_flight 3, waiting 0`.
    package var shown: String {
        report.entries.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
    }
}
