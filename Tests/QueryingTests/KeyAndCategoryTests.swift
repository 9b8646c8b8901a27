import Decoding
import JSON
import Products
import ProductsTestSupport
@testable import Querying
import Testing

@Suite struct KeyIndexTests {
    private let key = FindableMembers.Key(
        name: "sku", paths: ["sku", "variants.*.sku"].compactMap { ItemPath($0) })

    private func index(_ items: String...) throws -> KeyIndex {
        KeyIndex(key, of: try Catalogue(decode("[\(items.joined(separator: ","))]")))
    }

    @Test func `a key finds its product, and that of a variant says which`() throws {
        let index = try index(
            item("physical", id: "a", #","sku":"A-1","variants":[{"sku":"A-2"},{"sku":"A-3"}]"#),
            item("physical", id: "b", #","sku":7"#))
        #expect(index.match("A-1") == .init(position: 0, variant: nil))
        #expect(index.match("A-3") == .init(position: 0, variant: 1))
        #expect(index.match("7") == .init(position: 1, variant: nil))
        for missing in ["", "a-1", "A-", "A-11", "null"] { #expect(index.match(missing) == nil) }
        #expect(index.duplicates.count == 0)
    }

    @Test func `a key of two products finds the first, and is counted`() throws {
        let index = try index(
            item("physical", id: "a", #","sku":"X""#), item("physical", id: "b", #","sku":"X""#),
            item("physical", id: "c", #","sku":"Y","variants":[{"sku":"Y"}]"#))
        #expect(index.match("X")?.position == 0)
        #expect(index.match("Y") == .init(position: 2, variant: nil))
        #expect(index.duplicates.count == 1)
        #expect(index.duplicates.first == .init(value: "X", holders: [0, 1].map { .init(position: $0, variant: nil) }))
    }

    @Test func `a key that a variant has before the product itself finds the product`() throws {
        let index = try index(item("physical", id: "a", #","variants":[{"sku":"X"},{"sku":"Y"}],"sku":"X""#))
        #expect(index.match("X") == .init(position: 0, variant: nil))
        #expect(index.match("Y") == .init(position: 0, variant: 1))
    }

    @Test(arguments: ["[}{]", "[,]", "[", "[{]", "{", "", "[{\"sku\":", "[{\"sku\":,}]", "[[}]"])
    func `a walk over bytes that are no canonical encoding ends within them`(list: String) throws {
        let scan = MemberScan([key.paths])
        for text in ["{\"variants\":\(list)}", "{\"variants\":\(list),\"sku\":\"A\"}", "{\"sku\":\(list)}"] {
            let bytes = Array(text.utf8)
            for end in bytes.indices {
                scan.scan(bytes, 0..<end) { _, found in #expect(!found.range.isEmpty && found.range.upperBound <= end) }
            }
        }
    }

    @Test func `keys with escapes, and thousands of them, are found`() throws {
        let items = (0..<5000).map { item("physical", id: "\($0)", #","sku":"k\"\#($0)\u00e9""#) }
        let index = KeyIndex(key, of: try Catalogue(decode("[\(items.joined(separator: ","))]")))
        for number in 0..<5000 { #expect(index.match("k\"\(number)é")?.position == number) }
        #expect(index.match("k\"5000é") == nil)
    }
}

@Suite struct CategoryTreeTests {
    private func tree(_ categories: [String], separator: String? = nil) throws -> CategoryIndex {
        let items = categories.enumerated().map { item("physical", id: "\($0)", #","category":\#($1)"#) }
        return CategoryIndex(try Catalogue(decode("[\(items.joined(separator: ","))]")), separator: separator)
    }

    private func lines(_ counts: [CategoryCount]) -> [String] {
        counts.flatMap { ["\($0.path.joined(separator: "/")) \($0.count)"] + lines($0.below) }
    }

    @Test func `paths make a tree, in which a product counts once in each category above it`() throws {
        let index = try tree(
            [#""Wear > Men""#, #"["Wear > Men > Shoes","Wear > Women"]"#, #""Wear""#, #""Food""#], separator: " > ")
        let all = PositionSet(allOf: 4)
        #expect(
            lines(index.tree(among: all)) == [
                "Food 1", "Wear 3", "Wear/Men 2", "Wear/Men/Shoes 1", "Wear/Women 1",
            ])
        #expect(index.positions(in: ["Wear"]).positions == [0, 1, 2])
        #expect(index.positions(in: ["Men"]).positions == [0, 1])
        #expect(index.positions(in: ["Wear > Men"]).positions == [0, 1])
        #expect(index.positions(in: ["Shoes", "Food"]).positions == [1, 3])
        #expect(lines(index.tree(among: PositionSet(outOf: 4, [3]))) == ["Food 1"])
    }

    @Test func `categories with names, paths and ids make the same tree as their paths`() throws {
        let index = try tree([
            #"{"id":2,"name":"Men","path":["Wear","Men"]}"#, #"[{"id":1,"name":"Wear","path":["Wear"]}]"#,
            #"{"id":"x"}"#,
        ])
        #expect(lines(index.tree(among: PositionSet(allOf: 3))) == ["Wear 2", "Wear/Men 1", "x 1"])
        #expect(index.positions(in: ["2"]).positions == [0])
        #expect(index.positions(in: ["Wear"]).positions == [0, 1])
    }

    @Test func `without a separator a text is one name`() throws {
        let index = try tree([#""Wear > Men""#])
        #expect(lines(index.tree(among: PositionSet(allOf: 1))) == ["Wear > Men 1"])
        #expect(index.positions(in: ["Wear"]).isEmpty)
    }

    @Test func `a part of the tree is below a name, an id or a path, and as deep as wanted`() throws {
        let index = try tree([#""A > B > C""#, #""D > B""#], separator: " > ")
        let all = index.tree(among: PositionSet(allOf: 2))
        func document(_ query: CategoriesQuery) -> String {
            String(decoding: query.document(of: all, separator: " > "), as: UTF8.self)
        }
        #expect(
            document(CategoriesQuery(under: "A > B"))
                == #"{"categories":[{"name":"C","path":["A","B","C"],"count":1}]}"#)
        #expect(
            document(CategoriesQuery(depth: 1))
                == #"{"categories":[{"name":"A","path":["A"],"count":1},{"name":"D","path":["D"],"count":1}]}"#)
        #expect(document(CategoriesQuery(under: "none")) == #"{"categories":[]}"#)
    }
}

@Suite struct MatchingVariantsTests {
    private let members = FindableMembers(
        keys: [.init(name: "sku", paths: ["sku", "variants.*.sku"].compactMap { ItemPath($0) })],
        attributes: ["size", "colour"].compactMap { name in
            ItemPath("variants.*.\(name)").map { .init(name: name, path: $0, form: .text) }
        })
    private static let variants =
        #"[{"sku":"a","size":"L","colour":"Red"},{"sku":"b","size":"S","colour":"Red"},{"size":"l"}]"#
    private let catalogue: Catalogue

    init() throws {
        catalogue = try Catalogue(decode("[\(item("physical", #","sku":"own","variants":\#(Self.variants),"x":1"#))]"))
    }

    /// The variants that a query leaves of a form of the product.
    private func cut(_ text: String, of form: String = #"{"id":"1","variants":\#(variants),"x":1}"#) throws -> String {
        let query = try parse(text, findable: members)
        guard let variants = MatchingVariants(query, members, of: catalogue) else { return "all" }
        var bytes: [UInt8] = []
        try variants.append(Array(form.utf8)[...], at: 0, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `the variants that pass every filter by variants' members are left`() throws {
        let (a, b) = (#"{"sku":"a","size":"L","colour":"Red"}"#, #"{"sku":"b","size":"S","colour":"Red"}"#)
        func whole(_ variants: String...) -> String {
            #"{"id":"1","variants":[\#(variants.joined(separator: ","))],"x":1}"#
        }
        #expect(try cut("size=l&variants=matching") == whole(a, #"{"size":"l"}"#))
        #expect(try cut("size=l&colour=RED&variants=matching") == whole(a))
        #expect(try cut("size!=l&variants=matching") == whole(b))
        #expect(try cut("sku=b&variants=matching") == whole(b))
        #expect(try cut("size=xl&variants=matching") == whole())
        #expect(try cut("sku=own&variants=matching") == whole(a, b, #"{"size":"l"}"#))
        #expect(try cut("size=l") == "all")
        #expect(try cut("variants=matching") == "all")
    }

    @Test func `filters look at the stored texts, whatever the language of the form`() throws {
        let german = #"{"id":"1","variants":[{"size":"L","colour":"Rot"},{"size":"S","colour":"Rot"},{"size":"l"}]}"#
        #expect(
            try cut("colour=red&size=s&variants=matching", of: german)
                == #"{"id":"1","variants":[{"size":"S","colour":"Rot"}]}"#)
    }
}
