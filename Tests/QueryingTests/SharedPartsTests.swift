import Decoding
import Products
import ProductsTestSupport
import Querying
import Testing
import TestSupport

/// Parts of an index that the index of the next revision shares.
struct SharedPartsTests {
    /// The texts of a product's members, by name; those in `optional` may be absent.
    private typealias Item = [String: String]

    private static let optional = ["description", "category", "stock", "imageURL"]
    private static let findable: FindableMembers = {
        var members = FindableMembers()
        members.keys = [.init(name: "image", paths: [ItemPath("imageURL")].compactMap(\.self))]
        members.attributes = [("stock", "stock"), ("cost", "price.amount"), ("title", "name")].compactMap {
            name, path in
            ItemPath(path).map { .init(name: name, path: $0, form: name == "title" ? .text : .number) }
        }
        return members
    }()

    private static func value(_ member: String, _ random: inout SeededGenerator) -> String {
        switch member {
        case "name": "\"\(random.pick(["Mug", "Cup", "Crème", "Big mug"]))\""
        case "price":
            #"{"amount":\#(Int.random(in: 1...30, using: &random)),"currency":"\#(random.pick(["EUR", "USD"]))"}"#
        case "description": "\"\(random.pick(["A mug.", "", "½ of a cup", "Red"]))\""
        case "category": random.pick([#""tea""#, #"["tea","Red"]"#, #"{"name":"Cups","id":7}"#])
        case "imageURL": "\"https://shop.example/\(Int.random(in: 0..<9, using: &random))\""
        default: "\(Int.random(in: 0...300, using: &random))"
        }
    }

    private static func items(_ random: inout SeededGenerator) -> [Item] {
        (0..<30).map { _ in
            var item: Item = [:]
            for member in ["name", "price", "sales"] { item[member] = value(member, &random) }
            for member in optional where random.chance(60) { item[member] = value(member, &random) }
            return item
        }
    }

    private static func text(_ items: [Item]) -> [UInt8] {
        let texts = items.enumerated().map { number, item in
            let members = item.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
            return #"{"type":"physical","id":"p\#(number)",\#(members.joined(separator: ","))}"#
        }
        return Array("[\(texts.joined(separator: ","))]".utf8)
    }

    /// Decodes revisions, each knowing the one before.
    private static func revisions(_ all: [[Item]]) throws -> [Catalogue] {
        var known: KnownProducts?
        return try all.map { items in
            let decoded = try NativeCatalogueDecoder().decode(text(items), knowing: known)
            let catalogue = try Catalogue(decoded)
            known = KnownProducts(catalogue, from: decoded)
            return catalogue
        }
    }

    private static func index(_ catalogue: Catalogue, _ members: FindableMembers) -> CatalogueIndex {
        CatalogueIndex(catalogue, ProductsUseCase.marked(catalogue, by: PopularityRule()).marks, findable: members)
    }

    private static func queries(_ members: FindableMembers) throws -> [ProductsQuery] {
        let sorts = ["name", "-price", "sales", "category,-id"] + members.attributes.map(\.name)
        let texts = ["mug", "cup", "red", "creme", "½", "shop"]
        return try [
            ["limit=0&facets=type,category" + members.attributes.map { ",\($0.name)" }.joined()], ["category=tea"],
            ["min_price=10"], texts.map { "q=\($0)" }, sorts.map { "sort=\($0)" },
            members.isEmpty ? [] : ["stock=7", "stock_min=100", "title=cup", "image=https://shop.example/3"],
        ]
        .joined().map { try parse($0, findable: members) }
    }

    @Test(arguments: 0..<40)
    func `an index that shares parts with an earlier one answers like one that shares none`(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        var members = random.chance(50) ? Self.findable : FindableMembers()
        if random.chance(30) { members.searched = ["name", "stock", "imageURL"].compactMap { ItemPath($0) } }
        var all = [Self.items(&random)]
        let touched = random.pick(["price", "sales", "name"] + Self.optional)
        for _ in 0..<2 {
            var next = all[all.count - 1]
            for number in next.indices where random.chance(20) {
                let isGone = Self.optional.contains(touched) && random.chance(30)
                next[number][touched] = isGone ? nil : Self.value(touched, &random)
            }
            all.append(next)
        }
        let catalogues = try Self.revisions(all)
        for (earlier, later) in [(0, 1), (1, 2), (0, 2), (2, 0)] {
            let old = Self.index(catalogues[earlier], members)
            old.prepare()
            let index = Self.index(catalogues[later], members)
            index.prepare(after: old)
            let alone = Self.index(try Catalogue(encoded: catalogues[later].encoded), members)
            for query in try Self.queries(members) {
                #expect(try index.page(of: query) == alone.page(of: query), "\(touched) \(query)")
            }
            #expect(index.categoryTree == alone.categoryTree)
        }
    }

    @Test func `a part is shared if none of its members has changed`() throws {
        var random = SeededGenerator(seed: 1)
        let items = Self.items(&random)
        func shared(_ member: String, _ value: String, of members: FindableMembers = FindableMembers()) throws -> Set<
            String
        > {
            var next = items
            next[3][member] = value
            let catalogues = try Self.revisions([items, next])
            let old = Self.index(catalogues[0], members)
            old.prepare()
            return Self.index(catalogues[1], members).prepare(after: old)
        }
        let texts: Set = ["type", "category", "tree", "q", "sort id", "sort name", "sort type", "sort category"]
        let figures: Set = ["price", "sort price", "sort sales"]
        #expect(try shared("price", #"{"amount":777,"currency":"EUR"}"#) == texts.union(["sort sales"]))
        #expect(try shared("sales", "777") == texts.union(["price", "sort price"]))
        #expect(try shared("name", "\"Jar\"") == texts.union(figures).subtracting(["q", "sort name"]))
        #expect(try shared("description", "\"Jar\"") == texts.union(figures).subtracting(["q"]))
        #expect(
            try shared("category", "\"Jar\"")
                == texts.union(figures).subtracting(["q", "category", "tree", "sort category"]))
        #expect(try shared("stock", "777") == texts.union(figures))
        let attributes = try shared("stock", "777", of: Self.findable)
        #expect(attributes == texts.union(figures).union(["sort by cost", "sort by title"]))
    }

    @Test func `nothing is shared where products have moved, or other members are declared`() throws {
        var random = SeededGenerator(seed: 1)
        let items = Self.items(&random)
        let catalogues = try Self.revisions([items, Array(items.dropFirst())])
        let old = Self.index(catalogues[0], FindableMembers())
        old.prepare()
        #expect(Self.index(catalogues[1], FindableMembers()).prepare(after: old).isEmpty)
        #expect(Self.index(catalogues[0], Self.findable).prepare(after: old).isEmpty)
    }

    @Test func `a part that the earlier index has not made is made`() throws {
        var random = SeededGenerator(seed: 1)
        let catalogue = try Self.revisions([Self.items(&random)])[0]
        let old = Self.index(catalogue, FindableMembers())
        old.prepare(["q"])
        let index = Self.index(catalogue, FindableMembers())
        #expect(index.prepare(["q", "price"], after: old) == ["q"])
        #expect(index.madeParts == 2)
    }
}
