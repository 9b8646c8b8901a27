package import CatalogueFuzzing
package import Decoding
import JSON
import Products

/// The properties of every document in any format that is decoded by a mapping; the fuzzer and tests check them.
///
/// A document is decoded item by item, where items are copied if they can be, and by the values of its whole tree. Both must
/// give the same. Each item is a product, skipped with a reason, or left out.
package enum MappedProperties {
    /// Whether the input holds a catalogue; the others were refused as they should be.
    /// - Parameters:
    ///   - input: a byte that chooses the mapping, and the document.
    /// - Throws: ``CatalogueFault`` for the first property that does not hold.
    @discardableResult
    package static func check(
        _ input: some Collection<UInt8>, as format: DocumentFormat
    ) throws(CatalogueFault) -> Bool {
        guard let choice = input.first else { return false }
        let mappings = FuzzedMapping.all(format)
        let fuzzed = mappings[Int(choice) % mappings.count]
        let document = Array(input.dropFirst())
        return try check(fuzzed.isCopied ? fuzzed.warmed(document) : document, by: fuzzed.mapping)
    }

    private static func check(
        _ document: [UInt8], by mapping: CatalogueMapping
    ) throws(CatalogueFault) -> Bool {
        let decoder = MappedCatalogueFormat(mapping: mapping)
        let whole = Result { () throws(ProductsFailure) in try decoder.decode(document, knowing: nil) }
        let tree = (try? decoder.json(of: document)).flatMap { try? JSONParser().parse($0) }
        guard let items = tree.flatMap({ decoder.items(in: $0) }) else {
            try require("a document without items is refused", (try? whole.get()) == nil, found: whole)
            return false
        }
        let parsed = Result { () throws(ProductsFailure) in try decoder.decode(items: items) }
        guard let decoded = try same(whole, parsed, hasLines: mapping.format != .json) else { return false }
        if case .items? = mapping.variants?.place {
            // Variants among the items become parts of products.
        } else {
            let count = decoded.array.count + Set(decoded.skipped.map(\.index)).count + decoded.leftOut
            try require("each item is taken, skipped or left out", count == items.count, found: (count, items.count))
        }
        guard let catalogue = try? Catalogue(decoded) else { return false }
        try CatalogueProperties.check(catalogue)
        for product in (try? JSONParser().parse(decoded.array.bytes))?.array ?? [] {
            let kept = mapping.omitted.first { $0.first(in: product) != nil }
            try require("no product has an omitted member", kept == nil, found: (kept, product))
        }
        let again = try? decoder.decode(document, knowing: KnownProducts(catalogue, from: decoded))
        try require("a known document holds what it held", again?.array.bytes == decoded.array.bytes)
        try require(
            "what is skipped and left out is so again",
            again?.skipped == decoded.skipped && again?.leftOut == decoded.leftOut)
        return !decoded.products.isEmpty
    }

    /// The products that both ways give; nil if both refuse.
    private static func same(
        _ whole: Result<DecodedProducts, ProductsFailure>, _ parsed: Result<DecodedProducts, ProductsFailure>,
        hasLines: Bool
    ) throws(CatalogueFault) -> DecodedProducts? {
        switch (whole, parsed) {
        case (.success(let whole), .success(let parsed)):
            guard whole.array.bytes == parsed.array.bytes, whole.array.ranges == parsed.array.ranges else {
                let (text, values) = (text(whole), text(parsed))
                throw CatalogueFault("a document by its values is \(values)", found: text)
            }
            func reasons(_ decoded: DecodedProducts) -> [String] { decoded.skipped.map { hasLines ? "" : $0.reason } }
            let isSkipped =
                whole.skipped.map(\.index) == parsed.skipped.map(\.index) && reasons(whole) == reasons(parsed)
            try require("both ways skip the same", isSkipped, found: (whole.skipped, parsed.skipped))
            try require("both ways leave out the same", whole.leftOut == parsed.leftOut)
            try require("both ways find the same paths", whole.unmatched == parsed.unmatched)
            try require("both ways keep the same unconverted", whole.unconverted == parsed.unconverted)
            return whole
        case (.failure(let whole), .failure(let parsed)):
            try require("both ways refuse for the same", hasLines || whole == parsed, found: (whole, parsed))
            return nil
        case (let whole, let parsed):
            throw CatalogueFault("a document by its values is \(parsed)", found: whole)
        }
    }

    private static func text(_ decoded: DecodedProducts) -> String {
        String(decoding: decoded.array.bytes, as: UTF8.self)
    }
}
