import JSON
import PolymorphicCodable
package import Products

/// The properties of every text that an upstream can send, whatever is in it; the fuzzer and tests check them.
///
/// Each text is decoded in two ways: products are copied where they can be, or each one is made and encoded by itself. Both
/// must give the same.
public enum CatalogueProperties {
    /// Whether the text holds a catalogue by some policy for unknown kinds; the others were refused as they should be.
    /// - Throws: ``CatalogueFault`` for the first property that does not hold.
    @discardableResult
    public static func check(_ bytes: some Collection<UInt8>) throws(CatalogueFault) -> Bool {
        let text = Array(bytes)
        let document = try? JSONParser().parse(text)
        let items = document.flatMap { $0.array ?? $0.object?["products"]?.array }
        var isCatalogue = false
        for policy in UnknownKindPolicy.allCases {
            let decoder = NativeCatalogueDecoder(unknownKinds: policy)
            let copied = Result { () throws(ProductsFailure) in try decoder.decode(text) }
            let decoded = try? copied.get()
            if let items {
                let made = made(items, by: decoder)
                // The places in the failures of an object begin with its member.
                if document?.array != nil { _ = try same("a text under \(policy)", copied, made) }
                let pages = Result { () throws(ProductsFailure) in try decoder.decode(items: items) }
                let paged = try same("pages under \(policy)", pages, made)
                try require("pages hold what one text does", paged?.array.bytes == decoded?.array.bytes)
                try require("pages skip what one text does", paged?.skipped.count == decoded?.skipped.count)
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

    /// The products when each is made and encoded by itself; nil for an item that is no object.
    private static func made(
        _ items: [JSONValue], by decoder: NativeCatalogueDecoder
    ) -> Result<DecodedProducts, ProductsFailure>? {
        var made = DecodedProducts()
        for (index, item) in items.enumerated() {
            guard let object = item.object else { return nil }
            do {
                try decoder.append(object, at: index, to: &made, changing: { $0 })
            } catch {
                return .failure(error)
            }
        }
        made.close()
        return .success(made)
    }

    /// The products that both ways give; nil when both refuse.
    private static func same(
        _ source: String, _ copied: Result<DecodedProducts, ProductsFailure>,
        _ made: Result<DecodedProducts, ProductsFailure>?
    ) throws(CatalogueFault) -> DecodedProducts? {
        switch (copied, made) {
        case (.success(let copied), .success(let made)):
            guard copied.array.bytes == made.array.bytes, copied.array.ranges == made.array.ranges else {
                let (copied, made) = (String(decoding: copied.array.bytes, as: UTF8.self), made.array.bytes)
                throw CatalogueFault("\(source) is \(String(decoding: made, as: UTF8.self))", found: copied)
            }
            try require(
                "both ways skip the same", copied.skipped == made.skipped, found: (copied.skipped, made.skipped))
            return copied
        case (.failure(let copied), .failure(let made)):
            try require("both ways refuse for the same", copied == made, found: (copied, made))
            return nil
        case (.failure, nil): return nil
        case (let copied, let made): throw CatalogueFault("\(source) is \(made, default: "no objects")", found: copied)
        }
    }
}
