public import JSON

extension NativeCatalogueDecoder {
    /// The product in one object, which stands at an index of somebody's array.
    /// - Throws: `malformed`; the detail names the index and the member, as in `[7312].price.amount: …`.
    public func product(in object: JSONObject, at index: Int) throws(ProductsFailure) -> any Product {
        do {
            return try Self.product(.object(object), at: [.index(index)])
        } catch {
            throw ProductsFailure(decoding: error)
        }
    }
}
