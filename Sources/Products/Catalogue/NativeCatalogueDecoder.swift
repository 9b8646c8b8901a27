package import JSON
package import PolymorphicCodable

/// Decodes products in the service's own format: an array, or an object with the array as its member `products`.
package struct NativeCatalogueDecoder: Sendable {
    private static let member = "products"
    private static let expected = "expected an array or an object with \"products\", found"

    private let unknownKinds: UnknownKindPolicy

    /// Creates a decoder.
    /// - Parameter unknownKinds: products, also nested ones, of an unknown `type` are refused, skipped and reported, or
    ///   passed on as ``KeptProduct``.
    package init(unknownKinds: UnknownKindPolicy = .reject) {
        self.unknownKinds = unknownKinds
    }

    /// Decodes a document product by product, so that its whole tree is never in memory.
    /// - Parameter known: the products of an earlier document; unchanged ones are copied.
    /// - Throws: `malformed`; the detail names the index and the member, as in `[7312].price.amount: …`.
    package func decode(
        _ bytes: [UInt8], knowing known: KnownProducts? = nil
    ) throws(ProductsFailure) -> DecodedProducts {
        let (range, path): (Range<Int>, [JSONPathKey])
        do {
            (range, path) = try array(in: bytes)
        } catch {
            throw ProductsFailure(decoding: error)
        }
        return try decode(bytes, array: range, at: path, knowing: known)
    }

    /// Decodes the array at a range of a document.
    /// - Parameter path: the way to the array, for errors.
    func decode(
        _ bytes: [UInt8], array range: Range<Int>, at path: [JSONPathKey], knowing known: KnownProducts? = nil,
        depthLimit: Int = JSONParser.usualDepthLimit
    ) throws(ProductsFailure) -> DecodedProducts {
        try decoding(about: range.count, knowing: known) { items in
            try JSONParser(depthLimit: depthLimit).forEachElement(
                of: bytes, in: range, passing: { items.recognise(at: $0, of: bytes) ?? items.copy(at: $0, of: bytes) },
                else: { try items.decode($0, in: path, from: (bytes, $1)) })
        }
    }

    /// Decodes the array at a range of a document, whose items a body reads and appends.
    /// - Parameters:
    ///   - known: the products of an earlier document, decoded by the same body.
    ///   - copy: appends the item at an offset in the service's own form, and returns the offset behind it; nil for an
    ///     item that the body has to read.
    ///   - append: gets an item with its index, and appends a product, or records skipped ones.
    /// - Throws: `malformed`, or the error of the body.
    package func decode(
        _ bytes: [UInt8], array range: Range<Int>, knowing known: KnownProducts?,
        copying copy: (Int, inout [UInt8]) -> Int? = { _, _ in nil },
        by append: (JSONValue, Int, inout DecodedProducts) throws -> Void
    ) throws(ProductsFailure) -> DecodedProducts {
        try decoding(about: range.count, knowing: known) { items in
            try JSONParser().forEachElement(
                of: bytes, in: range,
                passing: { items.recognise(at: $0, of: bytes) ?? items.copy(at: $0, of: bytes, by: copy) },
                else: { try items.append($0, from: (bytes, $1), by: append) })
        }
    }

    /// Decodes parsed items, such as those of several pages; indexes count through all of them.
    /// - Throws: `malformed`, as above.
    package func decode(items: [JSONValue]) throws(ProductsFailure) -> DecodedProducts {
        try decoding { decoded in
            for item in items { try decoded.append(item, in: []) }
        }
    }

    /// Decodes one object of an array by its index, unless its kind is unknown and skipped.
    /// - Parameter change: changes the product; nil leaves it unchanged, which is faster.
    /// - Throws: `malformed`, as above; then nothing is appended.
    package func append(
        _ object: JSONObject, at index: Int, to decoded: inout DecodedProducts,
        changing change: ((any Product) -> any Product)? = nil
    ) throws(ProductsFailure) {
        var items = ItemDecoding(unknownKinds: unknownKinds, from: index, adding: decoded)
        decoded = DecodedProducts()
        defer { decoded = items.decoded }
        do {
            try items.append(.object(object), in: [], changing: change)
        } catch {
            throw ProductsFailure(decoding: error)
        }
    }

    private func array(in bytes: [UInt8]) throws -> (Range<Int>, path: [JSONPathKey]) {
        if let range = try JSONParser().arrayRange(at: [.root], in: bytes) { return (range, []) }
        if let member = JSONPath(Self.member), let range = try JSONParser().arrayRange(at: [member], in: bytes) {
            return (range, [.name(Self.member)])
        }
        let value = try JSONParser().parse(bytes)
        guard let object = value.object else {
            throw ProductsFailure.malformed(detail: "\(Self.expected) \(value.kindName)")
        }
        guard let found = object[Self.member] else {
            throw ProductsFailure.malformed(detail: "\(Self.expected) an object without")
        }
        throw ProductsFailure.malformed(detail: "\(Self.member): expected an array, found \(found.kindName)")
    }

    private func decoding(
        about size: Int = 0, knowing known: KnownProducts? = nil, _ body: (inout ItemDecoding) throws -> Void
    ) throws(ProductsFailure) -> DecodedProducts {
        var items = ItemDecoding(
            unknownKinds: unknownKinds, adding: DecodedProducts(about: size, after: known), knowing: known)
        do {
            try body(&items)
        } catch {
            throw ProductsFailure(decoding: error)
        }
        return (consume items).closed()
    }
}

extension Catalogue {
    /// Checks every product as if it came from an upstream, for bytes that were taken over unread. Takes about as long
    /// as decoding, without memory for a copy.
    /// - Returns: whether the bytes are in this version's form; otherwise they have to be decoded.
    /// - Throws: as `init(encoded:in:)` for bytes that are not a catalogue.
    package func check() throws(ProductsFailure) -> Bool {
        var (pass, made, isCanonical) = (CanonicalPass(), [UInt8](), true)
        let parser = JSONParser(depthLimit: Self.depthLimit)
        let decoder = NativeCatalogueDecoder(unknownKinds: .keep)
        for (position, range) in ranges.enumerated() {
            made.removeAll(keepingCapacity: true)
            let end = pass.append(at: range.lowerBound, of: encoded, to: &made)
            if end == range.upperBound, made.elementsEqual(encoded[range]) { continue }
            var decoded = DecodedProducts()
            let object: JSONObject?
            do { object = try parser.parse(encoded, in: range).object } catch { throw ProductsFailure(decoding: error) }
            try decoder.append(object ?? JSONObject(), at: position, to: &decoded)
            isCanonical = isCanonical && decoded.array.bytes.dropFirst().elementsEqual(encoded[range])
        }
        try ids.check(array)
        return isCanonical
    }
}
