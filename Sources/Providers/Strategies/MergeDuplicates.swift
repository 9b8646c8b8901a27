internal import Products

/// Whose product it is that several providers of a `merge` have under one id.
public enum MergeDuplicates: String, Sendable, CaseIterable {
    /// The earlier provider's.
    case first
    /// The later provider's, in the place of the earlier one's.
    case last
    /// Nobody's: the catalogue is refused.
    case reject

    /// The products of all catalogues, in order. Under `reject` an id can still be there twice, which is for
    /// `Catalogue` to refuse.
    func joined(_ catalogues: [Catalogue]) -> [any Product] {
        var products: [any Product] = []
        products.reserveCapacity(catalogues.reduce(0) { $0 + $1.products.count })
        var positions: [String: Int] = [:]
        for product in catalogues.lazy.flatMap(\.products) {
            if self != .reject, let position = positions[product.id] {
                if self == .last { products[position] = product }
            } else {
                positions[product.id] = products.count
                products.append(product)
            }
        }
        return products
    }
}
