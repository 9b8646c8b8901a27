package import FoundationEssentials

/// A catalogue at one moment. Copies share the catalogue, for the cost of a reference count.
public struct ProductsSnapshot: Sendable {
    package let catalogue: Catalogue
    /// When the source confirmed these products, by the wall clock.
    package let fetchedAt: Date
    package let origin: ProductsOrigin

    package init(catalogue: Catalogue, fetchedAt: Date, origin: ProductsOrigin) {
        self.catalogue = catalogue
        self.fetchedAt = fetchedAt
        self.origin = origin
    }

    /// The products, in upstream order.
    package var products: [any Product] { catalogue.products }

    /// The content hash of the products; see ``Catalogue/revision``.
    package var revision: String { catalogue.revision }

    /// The time since the products were confirmed. Never negative, also when the wall clock was set back.
    package func age(at moment: Date) -> Duration {
        .seconds(reckoned(at: moment).timeIntervalSince(fetchedAt))
    }

    /// The time to compute ages by: the wall clock's, but never before the products were confirmed.
    package func reckoned(at moment: Date) -> Date { max(moment, fetchedAt) }
}

/// The place that a snapshot was read from.
public enum ProductsOrigin: String, Sendable, Hashable, CaseIterable, Codable {
    /// An upstream.
    case network
    /// A store on this machine.
    case store
    /// A file shipped with the service.
    case bundled
}
