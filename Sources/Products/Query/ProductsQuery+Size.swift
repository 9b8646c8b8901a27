extension ProductsQuery {
    /// Roughly how many bytes of memory the query takes, for those who keep queries and have to stay within bounds. Lists
    /// of a client's may have thousands of elements.
    public var approximateSize: Int {
        let lists = [types, categories, ids].compactMap(\.self).joined().map(\.text)
        let texts = lists + (fields?.names ?? []) + words.map(\.folded)
        return MemoryLayout<ProductsQuery>.size + texts.reduce(0) { $0 + Self.overhead + $1.utf8.count }
    }

    /// A text has its bytes in an object of their own, and a place in a set that may be half empty.
    private static let overhead = 80
}
