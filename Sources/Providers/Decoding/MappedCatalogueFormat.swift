internal import JSON
public import Products

/// The decoder for somebody else's JSON, as the config's `decode` describes it.
///
/// Every item is rewritten into Larder's own form and decoded from there, so that a mapped product obeys the same rules
/// as a native one. Members that are neither mapped nor named by the kind become attributes, in their order.
public struct MappedCatalogueFormat: CatalogueDecoder {
    private let mapping: CatalogueMapping

    /// Makes a decoder from a mapping.
    public init(mapping: CatalogueMapping) {
        self.mapping = mapping
    }

    /// Rewrites and decodes the items of a document.
    public func products(from body: [UInt8]) throws(ProductsFailure) -> [any Product] {
        var products: [any Product] = []
        for (index, item) in try items(of: try parsed(body)).enumerated() {
            guard case .object(let theirs) = item else {
                throw .malformed(detail: "[\(index)]: \(item.kindName) where an object should be")
            }
            let rewritten = try mapping.rewritten(theirs, at: index)
            guard mapping.accepts(rewritten) else { continue }
            products.append(try NativeCatalogueDecoder().product(in: rewritten, at: index))
        }
        return products
    }

    private func parsed(_ body: [UInt8]) throws(ProductsFailure) -> JSONValue {
        do {
            return try JSONParser().parse(body)
        } catch {
            throw .malformed(detail: "invalid JSON at \(error)")
        }
    }

    private func items(of document: JSONValue) throws(ProductsFailure) -> [JSONValue] {
        guard let found = document[mapping.items] else {
            throw .malformed(detail: "nothing at \"\(mapping.items)\", where the items should be")
        }
        guard let items = found.array else {
            throw .malformed(detail: "\(found.kindName) where the array of items should be")
        }
        return items
    }
}
