import Decoding
import JSON
import Products
import Text

/// A mapping that documents are decoded by, and the items that stand before the fuzzed ones.
struct FuzzedMapping {
    let mapping: CatalogueMapping
    /// Whether items are copied from text to text, which begins at the hundredth item.
    var isCopied = false

    /// The mappings for a format: every rule is in one of them.
    static func all(_ format: DocumentFormat) -> [FuzzedMapping] {
        let mappings = [
            (simple, true), (kinds, true), (variants, false), (money, false), (languages, false), (joined, false),
            (family, false), (nested, false), (own, false), (trimmed, false),
        ]
        return mappings.map { mapping, isCopied in
            var mapping = mapping
            mapping.format = format
            if format == .xml { mapping.items = JSONPath("r.i") }
            return FuzzedMapping(mapping: mapping, isCopied: isCopied)
        }
    }

    /// Returns the document with a hundred good items before its own.
    func warmed(_ document: [UInt8]) -> [UInt8] {
        switch mapping.format {
        case .json:
            let start = document.first == UInt8(ascii: "[") ? 1 : 0
            return Array("[".utf8) + Self.items { "\(Self.item($0))," } + document[start...]
        case .jsonl: return Self.items { "\(Self.item($0))\n" } + document
        case .csv: return Array("id,t,c,k,x\n".utf8) + Self.items { "w\($0),n,1,7,y\n" } + document
        case .tsv: return Array("id\tt\tc\tk\tx\n".utf8) + Self.items { "w\($0)\tn\t1\t7\ty\n" } + document
        case .xml:
            return Array("<r>".utf8) + Self.items { "<i><id>w\($0)</id><t>n</t><c>1</c><k>7</k><x>y</x></i>" }
                + document + Array("</r>".utf8)
        }
    }

    private static func item(_ number: Int) -> String { #"{"id":"w\#(number)","t":"n","c":1,"k":"7","x":{"y":1}}"# }

    private static func items(_ text: (Int) -> String) -> [UInt8] { Array((0..<100).map(text).joined().utf8) }

    private static func field(
        _ ours: String, _ theirs: String..., by change: (inout FieldMapping) -> Void = { _ in }
    ) -> FieldMapping {
        guard let path = JSONPath(ours), let places = PathAlternatives(theirs.compactMap { ItemPath($0) }) else {
            preconditionFailure("\(ours): \(theirs)")
        }
        var field = FieldMapping(ours: path, theirs: places)
        change(&field)
        return field
    }

    private static func constant(_ ours: String, _ value: JSONValue) -> CatalogueMapping.Constant {
        (JSONPath(ours) ?? .root, value)
    }

    private static func type(_ paths: String...) -> TypeRule? {
        PathAlternatives(paths.compactMap { ItemPath($0) }).map {
            .path($0, map: ["7": "digital", "book": "physical", "set": "bundle"], otherwise: "physical")
        }
    }

    private static func condition(_ path: String, _ texts: Set<String>) -> [ItemCondition] {
        ItemPath(path).map { [ItemCondition(path: PathAlternatives($0), texts: texts)] } ?? []
    }

    private static let simple = CatalogueMapping(
        type: .constant("physical"),
        fields: [
            field("name", "t", "label"), field("price.amount", "c"), field("category", "tags"),
            field("sales", "sold") { $0.fallback = 3 },
        ], constants: [constant("price.currency", "EUR")], onBadItem: .skip)

    private static let kinds = CatalogueMapping(
        type: type("k"),
        fields: [
            field("name", "t"), field("price.amount", "c") { $0.scale = .fixed(2) },
            field("price.currency", "money") { $0.fallback = "USD" }, field("imageURL", "images.1"),
            field("dimensions.width", "w"), field("dimensions.height", "w"), field("dimensions.depth", "sold"),
        ], attributes: .only(["x", "size", "weight", "x.y"]), onBadItem: .skip)

    private static let variants = CatalogueMapping(
        items: JSONPath("list"), type: .constant("physical"),
        fields: [field("name", "t"), field("category", "tags.*.name"), field("imageURL", "images.0.src")],
        variants: ItemPath("variants").map {
            VariantsMapping(
                place: .within(PathAlternatives($0)), conditions: condition("on", ["1", "true"]),
                fields: [
                    field("price.amount", "prices[cur=eur][!group].amount", "price") { $0.scale = .currency },
                    field("price.currency", "cur"), field("stock", "stock"), field("options", "options.*.value"),
                ])
        }, onBadItem: .skip)

    private static let money = CatalogueMapping(
        conditions: condition("on", ["1", "true"]), type: type("k", "x"),
        fields: [
            field("name", "t"), field("images", "images") { $0.texts.separator = "," },
            field("price.amount", "sale", "price") {
                $0.form = MoneyForm("money")
                $0.window = ItemPath("during").map { TimeWindow(interval: $0) }
            },
            field("price.currency", "sale", "price") { $0.form = MoneyForm("money") },
            field("category", "tags") { $0.texts.separator = " > " },
        ], attributes: .only(["x", "on"]), onBadItem: .reject, minimumPrice: MinimumPrice("0.5"))

    private static let languages = CatalogueMapping(
        type: .constant("digital"),
        fields: [
            ItemPath("t").flatMap { path in
                LanguageRanges(["en-GB", "de"]).map {
                    FieldMapping(ours: field("name", "t").ours, theirs: PathAlternatives(path.localized($0)))
                }
            } ?? field("name", "t"),
            field("id", "id") { $0.texts.takesLastSegment = true },
            field("price.amount", "prices.*.amount", "c") {
                $0.pick = .min
                $0.form = MoneyForm("1.234,56")
            },
            field("price.currency", "prices.*.cur") { $0.texts.words = ["e": "EUR"] },
            field("description", "tags.*") { $0.texts.joiner = ", " },
            field("imageURL", "images.*") {
                $0.texts.prefix = "https://shop.example"
                $0.pick = .first
            },
            field("size", "size") { $0.scale = ItemPath("x").map { .path($0) } },
        ], onBadItem: .skip)

    private static let joined = CatalogueMapping(
        items: JSONPath("data"), type: .constant("physical"),
        fields: [
            field("name", "attributes.t"), field("price.amount", "attributes.c"), field("price.currency", "money"),
            field("category", "relationships.tags.data.*.attributes.name"), field("brand", "brand.t"),
        ], onBadItem: .skip,
        includes: [
            IncludedList(path: JSONPath("included") ?? .root, reference: .relationships),
            IncludedList(
                path: JSONPath("brands") ?? .root,
                reference: .ids(
                    of: field("brand", "brand").theirs.paths[0], id: JSONPath("id") ?? .root, member: "brand")),
        ])

    private static let family = CatalogueMapping(
        type: .constant("physical"), fields: [field("name", "t")],
        variants: ItemPath("parent").map {
            VariantsMapping(
                place: .items(parent: $0), fields: [field("price.amount", "c"), field("price.currency", "money")])
        }, onBadItem: .skip)

    private static let nested = CatalogueMapping(
        items: JSONPath("list"), item: JSONPath("node"), type: type("k"),
        fields: [
            field("name", "t"), field("price.amount", "c", "price"), field("price.currency", "money"),
            field("products", "set"), field("denominations", "prices"), field("a.b.c", "x"),
        ], attributes: .drop)

    private static let trimmed = CatalogueMapping(
        type: .constant("physical"), fields: [field("name", "t"), field("price.amount", "c") { $0.scale = .fixed(2) }],
        constants: [constant("price.currency", "EUR")],
        omitted: ["x.y", "variants.*.price", "sold"].compactMap { ItemPath($0) }, onBadItem: .skip)

    private static let own = CatalogueMapping(attributes: .only(["x", "tags"]), onBadItem: .skip)
}
