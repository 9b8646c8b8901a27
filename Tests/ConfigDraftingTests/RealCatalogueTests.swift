@testable internal import ConfigDrafting
internal import Configuration
internal import Decoding
internal import FileSystem
internal import FoundationEssentials
internal import JSON
internal import Products
internal import Service
internal import TestSupport
internal import Testing
internal import Wiring

/// A document of a shop's API, and the products that come of it by the config that is drafted for it, or that of the
/// examples for another format than JSON; see `Tests/Catalogues/SOURCES.md`.
struct RealCatalogue: Sendable, CustomTestStringConvertible {
    /// The currencies that the documents do not say, or of which they have several.
    private static let currencies = [
        "bigcommerce": "USD", "commercetools-products": "EUR", "magento2": "AED", "medusa-v2": "EUR",
        "shopify-admin": "USD",
        "shopify-listings": "USD", "shopify-products-json": "INR", "shopify-storefront-graphql": "USD",
        "shopware6": "EUR",
        "spree-v1": "USD", "woocommerce-v3": "USD",
    ]

    let name: String

    static let all = ((try? Files.list("\(Repository.root)/Tests/Catalogues")) ?? []).filter { !$0.contains(".") }
        .sorted().map { RealCatalogue(name: $0) }.filter { $0.fileName != "products.json" }
    /// Catalogues whose currency is stated.
    static let stated = all.filter { currencies[$0.name] != nil }

    var testDescription: String { name }

    func text(_ file: String) throws -> String { try Repository.text("Tests/Catalogues/\(name)/\(file)") }

    /// The currency that is stated, if the document needs one.
    var settings: DraftSettings {
        var settings = DraftSettings()
        settings["price.currency"] = Self.currencies[name]
        return settings
    }

    func draft(_ settings: DraftSettings? = nil, forms: [KnownForm] = KnownForm.all) throws -> ConfigDraft {
        try ConfigDraft(
            Array(text("document.json").utf8), from: DraftSource("https://shop.example/products", headers: []),
            settings ?? self.settings, forms: forms)
    }

    /// The decoder of the config that is drafted.
    func decoder(_ draft: ConfigDraft? = nil) throws -> any CatalogueDecoder {
        let text =
            try isJSON ? (draft ?? self.draft()).text : Repository.text("config/examples/shops/\(name).yaml")
        let document = try ConfigDocument.parse(text, file: "f", environment: ["LARDER_UPSTREAM_WS_KEY": "key"])
        let loaded = try LoadedConfiguration.check(document)
        // Some shops state no total, and Medusa's count may be that of the page.
        #expect(loaded.warnings.allSatisfy { Self.isOfNoTotal($0.message) }, "\(loaded.warnings)")
        return try #require(loaded.root.outline.all.compactMap(\.decoder).first)
    }

    /// Whether a warning says that a shop's pages state no total.
    static func isOfNoTotal(_ warning: String) -> Bool {
        warning.contains("no \"total\"") || warning.contains("neither \"pages\" nor \"total\"")
    }

    /// The document, as the shop sends it.
    func document() throws -> [UInt8] { try Files.read(documentPath) }

    /// The name of the document's file, which tells its format.
    var fileName: String {
        (try? Files.list("\(Repository.root)/Tests/Catalogues/\(name)"))?.first { $0.hasPrefix("document.") }
            ?? "products.json"
    }

    private var documentPath: String { "\(Repository.root)/Tests/Catalogues/\(name)/\(fileName)" }

    /// Whether the document is JSON, and not of another format.
    var isJSON: Bool { documentPath.hasSuffix(".json") }

    /// Whether the document is a table, which is whole wherever a row ends.
    var isTable: Bool { documentPath.hasSuffix("sv") }
}

struct RealCatalogueTests {
    @Test func `there are as many as shops whose form is known`() { #expect(RealCatalogue.all.count >= 28) }

    @Test(arguments: RealCatalogue.all)
    func `prices to the digit, all categories, variants and images are those of the document`(catalogue: RealCatalogue)
        throws
    {
        let decoded = try catalogue.decoder().decode(catalogue.document(), knowing: nil)
        let expected = try #require(JSONParser().parse(Array(catalogue.text("expected.json").utf8)).array)
        let found = decoded.products.map { product -> JSONValue in
            var members: JSONObject = [
                "id": .string(product.id), "name": .string(product.name), "amount": .string("\(product.price.amount)"),
                "currency": .string(product.price.currency),
            ]
            if let category = product.category?.json { members["category"] = category }
            if let image = product.imageURL, !image.isEmpty { members["imageURL"] = .string(image) }
            members["variants"] = Self.variants(of: product)
            return .object(members)
        }
        #expect(found == expected)
        // The feeds have no sale at the moment.
        let unmatched = decoded.unmatched.filter { !$0.contains("sale_price_effective_date") }
        #expect(unmatched.allSatisfy { $0.hasSuffix("is an empty array)") }, "\(unmatched)")
        #expect(decoded.internalMembers.isEmpty)
        #expect(decoded.unconverted.isEmpty)
    }

    /// The variants that Larder made: id, stock keeping unit, and price in one text.
    private static func variants(of product: any Product) -> JSONValue? {
        guard let variants = product.attributes["variants"]?.array,
            variants.contains(where: { $0.object?["price"]?.object != nil })
        else { return nil }
        return .array(
            variants.map { variant in
                var members = JSONObject()
                for name in ["id", "sku"] where !(variant.object?[name]?.isNull ?? true) {
                    members[name] = variant.object?[name]
                }
                if let price = variant.object?["price"]?.object, let amount = price["amount"]?.number {
                    members["price"] = .string("\(amount.literal) \(price["currency"]?.string ?? "")")
                }
                return .object(members)
            })
    }

    @Test(arguments: RealCatalogue.all.filter(\.isJSON))
    func `the form is recognised, and its mapping has at most 25 lines`(catalogue: RealCatalogue) throws {
        let draft = try catalogue.draft()
        #expect(draft.form != nil)
        let mapping = draft.text.split(separator: "\n").drop { $0 != "  decode:" }
        #expect(mapping.count { !$0.contains("# ") } <= 25)
    }

    @Test(arguments: RealCatalogue.all.filter(\.isJSON))
    func `without a known form the prices are those of the document, or asked for`(catalogue: RealCatalogue) throws {
        let draft: ConfigDraft
        do {
            draft = try catalogue.draft(forms: [])
        } catch DraftProblem.question(let question) {
            #expect(["price.amount", "price.scale", "price.currency", "name"].contains(question.setting))
            return
        }
        let decoded = try catalogue.decoder(draft).decode(Array(catalogue.text("document.json").utf8), knowing: nil)
        let expected = try #require(JSONParser().parse(Array(catalogue.text("expected.json").utf8)).array)
        #expect(decoded.products.map(\.id) == expected.compactMap { $0.object?["id"]?.string })
        #expect(decoded.products.map { "\($0.price.amount)" } == expected.compactMap { $0.object?["amount"]?.string })
    }

    @Test(arguments: RealCatalogue.stated)
    func `a currency that the document does not say is asked for`(catalogue: RealCatalogue) throws {
        let problem = #expect(throws: DraftProblem.self) { try catalogue.draft(DraftSettings()) }
        guard case .question(let question) = problem else {
            Issue.record("\(String(describing: problem))")
            return
        }
        #expect(question.setting == "price.currency")
        #expect(question.description.contains("--set"))
    }
}

struct RealDocumentTests {
    private static let rounds = ProcessInfo.processInfo.environment["LARDER_MUTATIONS"].flatMap { Int($0) } ?? 400

    /// Where the items of a document begin, and where they end.
    private static func items(of document: [UInt8]) -> Range<Int> {
        for name in ["item", "product"] {
            let starts = document.ranges(of: Array("<\(name)>".utf8))
            let ends = document.ranges(of: Array("</\(name)>".utf8))
            if let start = starts.first, let end = ends.last { return start.upperBound..<end.lowerBound }
        }
        return (document.firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 1..<document.count - 1
    }

    @Test(arguments: RealCatalogue.all.filter { !$0.isJSON })
    func `whatever byte is wrong, the document is refused with the line, or no item is lost and only one differs`(
        catalogue: RealCatalogue
    ) throws {
        let decoder = try catalogue.decoder()
        let document = try catalogue.document()
        let whole = try decoder.decode(document, knowing: nil)
        let known = Set(try whole.products.map { try ProductBytes($0) })
        let items = Self.items(of: document)
        var (refused, taken) = (0, 0)
        for seed in 0..<Self.rounds {
            var random = SeededGenerator(seed: seed)
            let place = Int.random(in: document.indices, using: &random)
            var changed = document
            let bytes = Array("\"\n\t,;<>&]\r\u{0} x9-.\\".utf8) + [0xFF]
            let byte = bytes[Int.random(in: bytes.indices, using: &random)]
            switch Int.random(in: 0..<4, using: &random) {
            case 0: changed[place] = byte
            case 1: changed.insert(byte, at: place)
            case 2: changed.remove(at: place)
            default: changed.removeSubrange(place...)
            }
            do {
                let decoded = try decoder.decode(changed, knowing: nil)
                taken += 1
                if catalogue.isTable, document.starts(with: changed) { continue }
                let count = decoded.products.count + decoded.skipped.count + decoded.leftOut
                #expect(count == whole.products.count + whole.leftOut, "\(seed)")
                guard items.contains(place) else { continue }
                #expect(try decoded.products.filter { try !known.contains(ProductBytes($0)) }.count <= 1, "\(seed)")
            } catch ProductsFailure.malformed(let detail, _) {
                refused += 1
                #expect(detail.contains("line "), "\(seed): \(detail)")
            }
        }
        #expect(refused > 50 && taken > 50)
    }
}

/// A product by its bytes.
private struct ProductBytes: Hashable {
    let bytes: [UInt8]

    init(_ product: any Product) throws {
        var bytes: [UInt8] = []
        try JSONByteEncoder.append(product, to: &bytes)
        self.bytes = bytes
    }
}
