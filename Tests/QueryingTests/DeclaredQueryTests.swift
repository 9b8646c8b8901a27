import Decoding
import FoundationEssentials
import JSON
import Products
import ProductsTestSupport
@testable import Querying
import TestSupport
import Testing

/// Random catalogues, queried by declared members and by looking at every product.
@Suite struct DeclaredQueryTests {
    private static let seeds = 0..<100

    @Test(arguments: seeds)
    func `filters by declared members find what looking at every product finds`(seed: Int) throws {
        var shop = DeclaredShop(seed: seed)
        let items = shop.items(Int.random(in: 0...60, using: &shop.random))
        let index = try shop.index(items)
        for _ in 0..<50 {
            let text = shop.query()
            let query = try parse(text, findable: DeclaredShop.members)
            let page = try index.page(of: query)
            let expected = items.indices.filter { passes(items[$0], query) }
            #expect(page.positions.sorted() == expected, "\(text)")
            for facet in page.facets {
                #expect(counts(facet.values) == expectedCounts(of: facet.name, items, query), "\(text) \(facet.name)")
                let numbers = facet.values.map(\.count)
                #expect(numbers == numbers.sorted(by: >))
            }
        }
    }

    @Test(arguments: seeds)
    func `sorting by an attribute goes by the least value, products without one last`(seed: Int) throws {
        var shop = DeclaredShop(seed: seed)
        let items = shop.items(40)
        let index = try shop.index(items)
        for text in ["sort=stock", "sort=-stock", "sort=brand,-stock", "sort=-size"] {
            let query = try parse(text, findable: DeclaredShop.members)
            let expected = items.indices.sorted { left, right in
                for key in query.sort {
                    let (one, other) = (sortValue(items[left], key.name), sortValue(items[right], key.name))
                    guard let one, let other else {
                        if one == nil, other == nil { continue }
                        return one != nil
                    }
                    if one != other { return (one < other) != key.isDescending }
                }
                return left < right
            }
            #expect(try index.page(of: query).positions == expected, "\(text)")
        }
    }

    private struct SortValue: Comparable {
        let number: Decimal
        let text: String

        static func < (left: SortValue, right: SortValue) -> Bool {
            left.number == right.number
                ? left.text.utf8.lexicographicallyPrecedes(right.text.utf8) : left.number < right.number
        }
    }

    private func sortValue(_ item: DeclaredItem, _ name: String) -> SortValue? {
        switch name {
        case "stock": item.numbers.min().map { SortValue(number: $0, text: "") }
        case "brand": item.brands.map { SortValue(number: 0, text: $0) }.min()
        default: item.sizes.map { SortValue(number: 0, text: $0) }.min()
        }
    }

    private func counts(_ values: [FacetCount]) -> [String: Int] {
        Dictionary(
            values.map { count in
                let value = try? JSONParser().parse(count.value)
                return (folded(value?.scalarText ?? "?"), count.count)
            }
        ) { $0 + $1 }
    }

    private func expectedCounts(of facet: String, _ items: [DeclaredItem], _ query: ProductsQuery) -> [String: Int] {
        var counts: [String: Int] = [:]
        for item in items where passes(item, query, except: facet) {
            for value in Set(item.texts(facet)) { counts[value, default: 0] += 1 }
        }
        return counts
    }

    private func passes(_ item: DeclaredItem, _ query: ProductsQuery, except facet: String? = nil) -> Bool {
        query.declared.allSatisfy { parameter, values in
            if parameter.member == facet { return true }
            let wanted = Set(values.map { folded($0.text) })
            let own = Set(item.texts(parameter.member))
            let numbers = values.compactMap { Decimal(string: $0.text) }
            switch parameter.comparison {
            case .isKey, .isAny: return !own.isDisjoint(with: wanted)
            case .isNone: return own.isDisjoint(with: wanted)
            case .isAtLeast: return item.numbers.contains { $0 >= numbers[0] }
            case .isAtMost: return item.numbers.contains { $0 <= numbers[0] }
            }
        }
    }

    private func folded(_ text: String) -> String { DeclaredItem.folded(text) }
}

/// An item with the values that a plain reading finds.
struct DeclaredItem {
    let json: String
    let brands: [String]
    let sizes: [String]
    let numbers: [Decimal]

    func texts(_ name: String) -> [String] {
        switch name {
        case "brand": brands
        case "size": sizes
        case "stock": numbers.map { $0.description }
        case "in_stock": numbers.map { $0 > 0 ? "true" : "false" }
        default: numbers.map { $0 < 0 ? "..0" : $0 < 10 ? "0..10" : "10.." }
        }
    }

    static func folded(_ text: String) -> String {
        let bare: [Character: String] = ["é": "e", "É": "e", "ß": "ss"]
        return text.map { bare[$0] ?? String($0).lowercased() }.joined()
    }
}

/// Small catalogues with members in many forms.
struct DeclaredShop {
    static let members = FindableMembers(attributes: [
        attribute("brand", "brand", .text), attribute("size", "variants.*.options.size", .text),
        attribute("stock", "stock", .number), attribute("in_stock", "stock", .flag(above: 0)),
        attribute("band", "stock", .bands([0, 10])),
    ])

    private static func attribute(
        _ name: String, _ path: String, _ form: FindableMembers.Form
    ) -> FindableMembers.Attribute {
        FindableMembers.Attribute(name: name, path: ItemPath(path) ?? ItemPath(.root), form: form)
    }

    /// JSON values, and the texts by which they are found.
    private static let brands: [(json: String, texts: [String])] = [
        (#""Acme""#, ["acme"]), (#""ACME""#, ["acme"]), (#""Acm\u00e9""#, ["acme"]), (#""acme\u0301""#, ["acme"]),
        (#""Stra\u00dfe""#, ["strasse"]), (#""""#, []), ("null", []), ("5", ["5"]), ("true", ["true"]),
        (#"["Zeta","acme","ZETA"]"#, ["zeta", "acme"]), (#"{"x":1}"#, []), (#""a,b""#, ["a,b"]),
        (#""a\"b""#, [#"a"b"#]), (#"[]"#, []),
    ]
    private static let numbers: [(json: String, number: Decimal?)] = [
        ("3", 3), ("3.0", 3), ("3e0", 3), (#""3""#, 3), ("-1", -1), ("0", 0), ("-0", 0), ("10", 10), ("9.99", 9.99),
        ("1000000000000000000000.5", Decimal(string: "1000000000000000000000.5")),
        ("0.0000001", Decimal(string: "0.0000001")),
        ("null", nil), (#""many""#, nil), ("true", nil), (#""007""#, nil), ("[]", nil),
    ]
    private static let sizes: [(json: String, text: String)] = [
        (#""S""#, "s"), (#""m""#, "m"), (#""XL""#, "xl"), ("42", "42"),
    ]

    var random: SeededGenerator

    init(seed: Int) {
        random = SeededGenerator(seed: seed)
    }

    mutating func items(_ count: Int) -> [DeclaredItem] {
        (0..<count).map { number in
            var members = ""
            var (brands, sizes, numbers): ([String], [String], [Decimal]) = ([], [], [])
            if random.chance(80) {
                let brand = random.pick(Self.brands)
                members += #","brand":\#(brand.json)"#
                brands = brand.texts
            }
            if random.chance(80) {
                let stock = random.pick(Self.numbers)
                members += #","stock":\#(stock.json)"#
                numbers = stock.number.map { [$0] } ?? []
            }
            if random.chance(60) {
                let variants = (0..<random.pick([0, 1, 2, 3])).map { _ in random.pick(Self.sizes) }
                sizes = variants.map(\.text)
                let texts = variants.map { #"{"id":"v","options":{"colour":"red","size":\#($0.json)}}"# }
                members += #","variants":[\#((texts + (random.chance(20) ? ["{}"] : [])).joined(separator: ","))]"#
            }
            return DeclaredItem(
                json: item("physical", id: "p\(number)", members), brands: brands, sizes: sizes, numbers: numbers)
        }
    }

    func index(_ items: [DeclaredItem]) throws -> CatalogueIndex {
        let catalogue = try Catalogue(decode("[\(items.map(\.json).joined(separator: ","))]"))
        return CatalogueIndex(
            catalogue, ProductsUseCase.marked(catalogue, by: PopularityRule()).marks, findable: Self.members)
    }

    mutating func query() -> String {
        var parts: [String] = []
        let brands = ["acme", "ACMÉ", "strasse", "zeta", "5", "true", #"a\,b"#, #"a"b"#, "none"]
        if random.chance(40) {
            parts.append("brand\(random.pick(["", "!"]))=\(random.pick(brands)),\(random.pick(brands))")
        }
        if random.chance(30) {
            parts.append("size\(random.pick(["", "!"]))=\(random.pick(["s", "M", "xl", "42", "x"]))")
        }
        if random.chance(20) {
            parts.append("stock\(random.pick(["", "!"]))=\(random.pick(["3", "3.00", "0", "10", "7"]))")
        }
        let bounds = ["-1", "0", "3", "9.99", "10", "1000000000000000000000.5", "0.0000001"]
        if random.chance(20) { parts.append("stock_min=\(random.pick(bounds))") }
        if random.chance(20) { parts.append("stock_max=\(random.pick(bounds))") }
        if random.chance(20) { parts.append("in_stock=\(random.pick(["true", "false"]))") }
        if random.chance(20) { parts.append("band=\(random.pick(["..0", "0..10", "10.."]))") }
        if random.chance(50) { parts.append("facets=brand,size,stock,in_stock,band") }
        return parts.joined(separator: "&")
    }
}
