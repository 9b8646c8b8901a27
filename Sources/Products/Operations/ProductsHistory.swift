package import FoundationEssentials

/// Lists the generations that a store keeps, and pins one of them.
///
/// While a generation is pinned, the memories above the store serve it, whatever is saved meanwhile. A pin outlasts
/// restarts and power cuts, and the pinned generation is never removed.
package protocol ProductsHistory: Sendable {
    /// Lists the usable generations, newest first.
    /// - Throws: `ProductsFailure.storeFailed` when the store cannot be read.
    func history() async throws(ProductsFailure) -> [HistoryEntry]
    /// Reads the snapshot of a generation.
    /// - Throws: `ProductsFailure.notStored` when there is none, and `storeFailed` when it cannot be read.
    func snapshot(of target: HistoryTarget) async throws(ProductsFailure) -> ProductsSnapshot
    /// The pin in force; nil without one.
    /// - Throws: `ProductsFailure.storeFailed` when it cannot be read.
    func currentPin() async throws(ProductsFailure) -> CataloguePin?
    /// Pins a generation, in place of any other.
    /// - Returns: the pin, which is in force even if it could not be written.
    /// - Throws: as `snapshot(of:)`.
    func pin(_ target: HistoryTarget, by order: OperatorOrder) async throws(ProductsFailure) -> CataloguePin
    /// Removes the pin.
    /// - Returns: the pin that was in force; nil without one.
    func unpin() async throws(ProductsFailure) -> CataloguePin?
}

/// Offers catalogues to the memories above: the pinned one, and newer ones of other replicas.
package protocol CatalogueOffering: Sendable {
    /// Returns the pinned catalogue, dated as checked now, with a step `pinned`; nil if none is pinned or it cannot be
    /// read. Does not wait for a hanging disk.
    func pinned() async -> ProductsAnswer?
    /// Whether a newer catalogue than the marked one is available without asking the source.
    func hasNewer(than mark: CatalogueMark) -> Bool
}

/// A generation of a store, as described by its header.
package struct HistoryEntry: Sendable, Hashable {
    package let generation: Int
    package let revision: String
    /// When the source confirmed the products.
    package let fetchedAt: Date
    package let origin: ProductsOrigin
    /// The number of products.
    package let count: Int
    /// The length of the file in bytes.
    package let size: Int

    package init(
        generation: Int, revision: String, fetchedAt: Date, origin: ProductsOrigin, count: Int, size: Int
    ) {
        (self.generation, self.revision, self.fetchedAt) = (generation, revision, fetchedAt)
        (self.origin, self.count, self.size) = (origin, count, size)
    }
}

/// Names a generation.
package enum HistoryTarget: Sendable, Hashable {
    case newest
    case generation(Int)
    /// The newest generation whose revision has this prefix.
    case revision(String)

    /// The words after "generation" in problems.
    package var name: String {
        switch self {
        case .newest: "at all"
        case .generation(let number): "\(number)"
        case .revision(let digits): "whose revision begins with \(digits)"
        }
    }
}

/// The pin of a store.
package struct CataloguePin: Sendable, Hashable {
    package let generation: Int
    package let revision: String
    package let order: OperatorOrder
    /// Whether it outlasts a restart. A pin that could not be written is still in force.
    package let isWritten: Bool

    package init(generation: Int, revision: String, order: OperatorOrder, isWritten: Bool = true) {
        (self.generation, self.revision, self.order) = (generation, revision, order)
        self.isWritten = isWritten
    }

    /// The pin once it is written.
    package var written: CataloguePin { CataloguePin(generation: generation, revision: revision, order: order) }
}

/// Records the operator behind a change.
package struct OperatorOrder: Sendable, Hashable {
    package let at: Date
    /// The request id and the peer of the order.
    package let by: String
    /// The reason that the operator gave; nil without one.
    package let reason: String?

    package init(at: Date, by: String, reason: String?) {
        (self.at, self.by, self.reason) = (at, by, reason)
    }
}
