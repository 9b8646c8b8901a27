import JSON
import PolymorphicCodable
package import Products

/// The properties of every text that an upstream can send, whatever is in it; the fuzzer and tests check them.
///
/// Each text is decoded in two ways: products are copied where they can be, or all are made and encoded. Both must give
/// the same.
public enum CatalogueProperties {
    /// Whether the text holds a catalogue by some policy for unknown kinds; the others were refused as they should be.
    /// - Throws: ``CatalogueFault`` for the first property that does not hold.
    @discardableResult
    public static func check(_ bytes: some Collection<UInt8>) throws(CatalogueFault) -> Bool {
        let text = Array(bytes)
        let items = (try? JSONParser().parse(text)).flatMap { $0.array ?? $0.object?["products"]?.array }
        var isCatalogue = false
        for policy in UnknownKindPolicy.allCases {
            let decoded = try same("a text", by: policy) { decoder in
                Result { () throws(ProductsFailure) in try decoder.decode(text) }
            }
            if let items {
                let paged = try same("pages", by: policy) { decoder in
                    Result { () throws(ProductsFailure) in try decoder.decode(items: items) }
                }
                try require("pages hold what one text does", paged?.array.bytes == decoded?.array.bytes)
            }
            guard let decoded, let catalogue = try? Catalogue(decoded) else { continue }
            let again = try? NativeCatalogueDecoder(unknownKinds: policy).decode(
                text, knowing: KnownProducts(catalogue, from: decoded))
            try require("a known text holds what it held", again?.array.bytes == decoded.array.bytes)
            try require("what was skipped is skipped again", again?.skipped == decoded.skipped)
            try CatalogueContents(catalogue).check()
            isCatalogue = true
        }
        return isCatalogue
    }

    /// Checks the properties of a catalogue, wherever its products come from.
    package static func check(_ catalogue: Catalogue) throws(CatalogueFault) {
        try CatalogueContents(catalogue).check()
    }

    /// The products that both ways give; nil when both refuse.
    private static func same(
        _ source: String, by policy: UnknownKindPolicy,
        _ decode: (NativeCatalogueDecoder) -> Result<DecodedProducts, ProductsFailure>
    ) throws(CatalogueFault) -> DecodedProducts? {
        let copied = decode(NativeCatalogueDecoder(unknownKinds: policy))
        switch (copied, decode(NativeCatalogueDecoder(unknownKinds: policy, makesAll: true))) {
        case (.success(let copied), .success(let made)):
            guard copied.array.bytes == made.array.bytes, copied.array.ranges == made.array.ranges else {
                let (copied, made) = (String(decoding: copied.array.bytes, as: UTF8.self), made.array.bytes)
                throw CatalogueFault(
                    "\(source) under \(policy) is \(String(decoding: made, as: UTF8.self))", found: copied)
            }
            try require(
                "both ways skip the same", copied.skipped == made.skipped, found: (copied.skipped, made.skipped))
            return copied
        case (.failure(let copied), .failure(let made)):
            try require("both ways refuse for the same", copied == made, found: (copied, made))
            return nil
        case (let copied, let made):
            throw CatalogueFault("\(source) under \(policy) is \(made)", found: copied)
        }
    }
}
