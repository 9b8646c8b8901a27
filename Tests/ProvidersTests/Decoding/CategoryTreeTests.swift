internal import JSON
internal import Products
internal import Testing

@testable internal import Decoding

struct CategoryTreeTests {
    private static func path(_ text: String) throws -> JSONPath { try #require(JSONPath(text)) }

    private static func ids(_ path: String, item: String? = nil) throws -> CategoryIDs {
        CategoryIDs(
            at: try #require(ItemPath(path)), as: "category", item: item.flatMap { JSONPath($0) },
            members: CategoryIDs.Members(
                id: try Self.path("id"), parent: try Self.path("parent_id"), name: try Self.path("name")))
    }

    private static func tree(_ text: String) throws -> CategoryTree {
        let items = try #require(JSONParser().parse(Array(text.utf8)).array)
        return try CategoryTree(items, ids("categories").members)
    }

    private static func joined(_ tree: CategoryTree, _ item: String, _ ids: CategoryIDs) throws -> (
        String, unknown: [String: Int]
    ) {
        let result = tree.joined([try JSONParser().parse(Array(item.utf8))], ids)
        return (String(decoding: result.items[0].encoded(), as: UTF8.self), result.unknown)
    }

    private static let shop = #"""
        [{"id":23,"parent_id":18,"name":"Mugs"},{"id":18,"parent_id":0,"name":"Kitchen"},{"id":23,"name":"Twice"},
         {"id":30,"parent_id":99,"name":"Loose"}]
        """#

    @Test func `ids become categories with the names on their path, and others stay and are counted`() throws {
        let (item, unknown) = try Self.joined(
            Self.tree(Self.shop), #"{"categories":[23,"18",5,5,30]}"#, Self.ids("categories"))
        #expect(
            item == #"{"categories":[23,"18",5,5,30],"category":[{"id":23,"name":"Mugs","path":["Kitchen","Mugs"]},"#
                + #"{"id":18,"name":"Kitchen","path":["Kitchen"]},5,5,{"id":30,"name":"Loose","path":["Loose"]}]}"#)
        #expect(unknown == ["5": 2])
    }

    @Test func `ids stand at a path of many, as one, and within elements`() throws {
        let tree = try Self.tree(Self.shop)
        let mug = #"{"id":23,"name":"Mugs","path":["Kitchen","Mugs"]}"#
        #expect(
            try Self.joined(tree, #"{"links":[{"to":"23"}]}"#, Self.ids("links.*.to")).0
                == #"{"links":[{"to":"23"}],"category":[\#(mug)]}"#)
        #expect(
            try Self.joined(tree, #"{"category":"23"}"#, Self.ids("category")).0 == #"{"category":\#(mug)}"#)
        #expect(
            try Self.joined(tree, #"{"node":{"c":23}}"#, Self.ids("c", item: "node")).0
                == #"{"node":{"c":23,"category":\#(mug)}}"#)
        #expect(try Self.joined(tree, #"{"id":1}"#, Self.ids("categories")) == (#"{"id":1}"#, [:]))
    }

    @Test func `a cycle of parents is cut where it would come again, and named`() throws {
        let tree = try Self.tree(
            #"[{"id":1,"parent_id":2,"name":"A"},{"id":2,"parent_id":1,"name":"B"},{"id":3,"parent_id":1,"name":"C"},"#
                + #"{"id":4,"parent_id":4,"name":"D"}]"#)
        #expect(tree.cycles == ["1", "2", "4"])
        let item = try Self.joined(tree, #"{"categories":[3,4]}"#, Self.ids("categories")).0
        #expect(item.contains(#""path":["B","A","C"]"#))
        #expect(item.contains(#""path":["D"]"#))
    }

    @Test(arguments: [#"[{"id":1,"name":"A"},{"name":"B"}]"#, #"[{"id":1,"name":"A"},{"id":2,"name":null}]"#])
    func `a category without an id or a name refuses all, with its place`(categories: String) throws {
        #expect(
            throws: ProductsFailure.malformed(
                detail: #"categories[1]: expected an id at "id" and a name at "name""#)
        ) { try Self.tree(categories) }
    }
}
