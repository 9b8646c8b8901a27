import JSON

/// The canonical bytes of products, and where each stands in them.
struct CatalogueEncoding {
    private(set) var bytes: [UInt8] = []
    private(set) var ranges: [Range<Int>] = []

    init(_ products: [any Product]) throws(ProductsFailure) {
        bytes.reserveCapacity(products.count * 256 + 2)
        ranges.reserveCapacity(products.count)
        bytes.append(UInt8(ascii: "["))
        for (position, product) in products.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            try append(product, at: position)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func append(_ product: any Product, at position: Int) throws(ProductsFailure) {
        let start = bytes.count
        do {
            try JSONByteEncoder.append(product, to: &bytes)
        } catch let error as EncodingError {
            throw .malformed(detail: "product [\(position)] cannot be written: \(error.jsonSummary)")
        } catch {
            throw .malformed(detail: "product [\(position)] cannot be written: \(error)")
        }
        ranges.append(start..<bytes.count)
    }
}
