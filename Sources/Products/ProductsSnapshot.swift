public import FoundationEssentials

/// A catalogue as it was at one moment. Copies share the catalogue, so passing one around costs a reference count.
public struct ProductsSnapshot: Sendable {
    /// The products and their encoding.
    public let catalogue: Catalogue
    /// When the source confirmed these products, by the wall clock.
    public let fetchedAt: Date
    /// Where this snapshot was read from.
    public let origin: ProductsOrigin

    /// A snapshot of a catalogue.
    public init(catalogue: Catalogue, fetchedAt: Date, origin: ProductsOrigin) {
        self.catalogue = catalogue
        self.fetchedAt = fetchedAt
        self.origin = origin
    }

    /// The products, in upstream order.
    public var products: [any Product] { catalogue.products }

    /// The content hash of the products; see ``Catalogue/revision``.
    public var revision: String { catalogue.revision }

    /// The same catalogue, confirmed again at a later moment.
    public func refetched(at moment: Date) -> ProductsSnapshot {
        ProductsSnapshot(catalogue: catalogue, fetchedAt: moment, origin: origin)
    }

    /// How long ago the products were confirmed. Never negative, also when the wall clock was set back.
    public func age(at moment: Date) -> Duration {
        .seconds(reckoned(at: moment).timeIntervalSince(fetchedAt))
    }

    /// What the wall clock's time is taken for where ages and what is left of them are reckoned: no time before the
    /// products were confirmed, also when the clock was set back.
    public func reckoned(at moment: Date) -> Date { max(moment, fetchedAt) }
}

/// Where a snapshot was read from.
public enum ProductsOrigin: String, Sendable, Hashable, CaseIterable, Codable {
    /// An upstream, over the network.
    case network
    /// A store on this machine, written after an earlier success.
    case store
    /// A file that was shipped with the service.
    case bundled
}
