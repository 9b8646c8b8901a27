internal import FoundationEssentials
internal import JSON
internal import Products
internal import ProvidersTestSupport
internal import Testing

@testable internal import Decoding

struct IncludedListsTests {
    private static let mapping = """
        { items: data, includes: { path: included }, type: physical, attributes: drop,
          fields: { name: attributes.name, price.amount: attributes.price, color: relationships.color.data.attributes.label,
                    imageURL: { path: relationships.images.data.0.attributes.url, prefix: "https://cdn.example" },
                    roots: relationships.taxons.data.*.relationships.parent.data.attributes.name,
                    category: relationships.taxons.data.*.attributes.name },
          constants: { price.currency: EUR } }
        """
    private static let mug = #"""
        {"type":"product","id":"1","attributes":{"name":"Mug","price":5},"relationships":{
         "images":{"data":[{"type":"image","id":"7"},{"type":"image","id":"8"}]},"color":{"data":{"type":"color","id":"7"}},
         "taxons":{"data":[{"type":"taxon","id":2},{"type":"taxon","id":"3"}]}}}
        """#
    private static let included = #"""
        [{"type":"color","id":"7","attributes":{"label":"red"}},
         {"type":"image","id":"7","attributes":{"url":"/7.png"}},{"type":"image","id":"8","attributes":{"url":"/8.png"}},
         {"type":"taxon","id":"2","attributes":{"name":"Mugs"},"relationships":{"parent":{"data":{"type":"taxon","id":"3"}}}},
         {"type":"taxon","id":"3","attributes":{"name":"Home"},"relationships":{"parent":{"data":{"type":"taxon","id":"2"}}}}]
        """#

    private static func document(_ items: String..., included: String = included) -> String {
        #"{"included":\#(included),"data":[\#(items.joined(separator: ","))]}"#
    }

    private func text(_ value: JSONValue?) -> String? { value.map { String(decoding: $0.encoded(), as: UTF8.self) } }

    @Test func `an identifier leads to the object of its type and id, and from that to others`() throws {
        let decoded = try decodeMapped(Self.document(Self.mug), Self.mapping)
        let mug = try #require(decoded.products.first)
        #expect(mug.imageURL == "https://cdn.example/7.png")
        #expect(mug.attributes["color"] == "red")
        #expect(text(mug.category?.json) == #"["Mugs","Home"]"#)
        // Two taxons that are each other's parent: the path ends, and so does the joining.
        #expect(text(mug.attributes["roots"]) == #"["Home","Mugs"]"#)
        #expect(decoded.unmatched == [] && decoded.danglingIDs == [])
    }

    @Test(arguments: ["", "on_bad_item: skip,", "minimum_price: 1, on_bad_item: skip,"])
    func `items that take more than they may with the objects that they name are refused, whatever bad items are`(
        rule: String
    ) throws {
        let mapping = """
            { items: data, includes: { path: included }, max_joined: 100KiB, type: physical, \(rule)
              fields: { name: id, price.amount: price, color: relationships.color.data.attributes.label },
              constants: { price.currency: EUR } }
            """
        func document(_ count: Int, length: Int) -> String {
            let items = (0..<count).map {
                #"{"id":"\#($0)","price":5,"relationships":{"color":{"data":{"type":"color","id":"7"}}}}"#
            }
            let label = String(repeating: "x", count: length)
            return #"""
                {"included":[{"type":"color","id":"7","attributes":{"label":"\#(label)"}}],"data":[\#(items.joined(separator: ","))]}
                """#
        }
        // Nine thousand and some bytes are an object, and ten items name it.
        #expect(try decodeMapped(document(10, length: 9000), mapping).products.count == 10)
        let large = document(1000, length: 9000)
        let failure = ProductsFailure.malformed(
            detail: #"[11]: the objects of "includes" take more than 102400 bytes in the items, see "max_joined""#)
        #expect(throws: failure) { try decodeMapped(large, mapping) }
        // One object that is longer than all may be is not even written.
        #expect(throws: ProductsFailure.self) { try decodeMapped(document(1, length: 200_000), mapping) }
        let decoder = try makeDecoder(mapping)
        let items = try #require(decoder.items(in: JSONParser().parse(Array(large.utf8))))
        #expect(throws: failure) { try decoder.decode(items: items) }
    }

    private static let color = #"{"type":"color","id":"7","label":"a\"\\\n\u0001\#u{e9}/"}"#

    /// Items that are copied, items that are copied in vain, and ids without an object; no text is as it will be written.
    @Test(arguments: [
        (
            "{ path: included }", #""relationships":{"color":{"data": {"type":"color" ,"id":"ID"}}}"#,
            "relationships.color.data.label", #"{"type":"color","id":"8"}"#
        ),
        ("[{ path: included, of: ids, id: id, as: ids }]", #""ids":[ "ID" ]"#, "ids.0.label", #""8""#),
        ("[{ path: included, of: color, id: id, as: of }]", #""of": 5,"color":"ID""#, "of.label", #""8""#),
    ])
    func `objects count to the byte as they are written, in one document as in pages`(
        includes: String, reference: String, label: String, unknown: String
    ) throws {
        let object = #"{"type":"color" ,"id":"7","label":"a\"\\\u000a\u0001\u00e9\/"}"#
        let items = (0..<130).map { number in
            let id = reference.replacing("ID", with: number % 3 == 0 ? "8" : "7")
            return #"{"id":\#(number),"price":\#(number % 5 == 0 ? -1 : 5),\#(id)}"#
        }
        let text = Array(#"{"included":[\#(object)],"data":[\#(items.joined(separator: ","))]}"#.utf8)
        let bytes = 44 * unknown.utf8.count + 86 * Self.color.utf8.count
        for (limit, count) in [(bytes, 104), (bytes - 1, nil)] {
            let decoder = try makeDecoder(
                """
                { items: data, includes: \(includes), max_joined: \(limit)B, type: physical, on_bad_item: skip,
                  fields: { price.amount: price, color: \(label) }, constants: { name: Mug, price.currency: EUR } }
                """)
            #expect((try? decoder.decode(text, knowing: nil).products.count) == count)
            let items = try #require(decoder.items(in: JSONParser().parse(text)))
            #expect((try? decoder.decode(items: items).products.count) == count)
        }
    }

    @Test func `ids that are in no list are counted, and those of nothing are not`() throws {
        let mapping = """
            { items: items, includes: [{ path: brands, of: brand_id, id: id, as: brand }, { path: tags, of: tags.*, id: id, as: tags }],
              type: physical, fields: { brand: brand.name }, constants: { name: x, price.amount: 1, price.currency: EUR } }
            """
        let text = #"""
            {"items":[{"id":1,"brand_id":"a","tags":[1,2]},{"id":2,"brand_id":"b","tags":[3]},{"id":3,"brand_id":"c"},
            {"id":4,"brand_id":0},{"id":5,"brand_id":null}],"brands":[{"id":"a","name":"A"}],"tags":[{"id":1}]}
            """#
        #expect(
            try decodeMapped(text, mapping).danglingIDs == [
                "tags.*: 2 ids, like number 2", "brand_id: 2 ids, like string \"b\"",
            ])
    }

    @Test func `an identifier that is not included stays as it is, and the path through it is reported`() throws {
        let paths = try decodeMapped(Self.document(Self.mug, included: "[]"), Self.mapping).unmatched
        #expect(
            paths.contains {
                $0.hasPrefix("imageURL: relationships.images.data.0.attributes.url (relationships.images.data.0 has")
            }, "\(paths)")
        #expect(paths.count == 4)
        let dangling = try decodeMapped(Self.document(Self.mug, included: "[]"), Self.mapping).danglingIDs
        #expect(
            dangling == [
                "color: 1 id, like string \"7\"", "images: 2 ids, like string \"7\"", "taxons: 2 ids, like number 2",
            ])
        let ids = try decodeMapped(
            Self.document(Self.mug, included: "null"),
            Self.mapping.replacing("*.attributes.name }", with: "*.id }")
        ).products.first
        #expect(text(ids?.category?.json) == #"["2","3"]"#)
    }

    @Test func `objects of relationships can be variants`() throws {
        let mapping = """
            { items: data, includes: { path: included }, type: physical, fields: { name: attributes.name }, attributes: drop,
              constants: { price.currency: EUR },
              variants: { path: relationships.sizes.data, attributes: drop, fields: { price.amount: attributes.price,
                          image: relationships.image.data.attributes.url } } }
            """
        let item =
            #"{"type":"product","id":1,"attributes":{"name":"Mug"},"relationships":{"sizes":{"data":"#
            + #"[{"type":"size","id":"4"},{"type":"size","id":"5"}]}}}"#
        let sizes =
            #"[{"type":"size","id":"4","attributes":{"price":"4.50"},"relationships":{"image":{"data":{"type":"image","id":"7"}}}},"#
            + #"{"type":"size","id":"5","attributes":{"price":3}},{"type":"image","id":"7","attributes":{"url":"u"}}]"#
        let mug = try #require(try decodeMapped(Self.document(item, included: sizes), mapping).products.first)
        #expect(mug.price.amount == 3)
        #expect(
            text(mug.attributes["variants"])
                == #"[{"price":{"amount":4.5,"currency":"EUR"},"image":"u","id":"4"},"#
                + #"{"price":{"amount":3,"currency":"EUR"},"id":"5"}]"#)
    }

    @Test func `objects of a plain list take the place of one id, of a list and of many at a path`() throws {
        let mapping = """
            { items: products, type: physical, constants: { price.currency: EUR, price.amount: 1 },
              includes: [{ path: meta.brands, of: brand_id, as: brand }, { path: categories, of: ids, id: key.code, as: ids },
                         { path: categories, of: links.*.to, id: key.code, as: all }],
              fields: { brand: brand.name, category: ids.*.name, listed: all.*.name } }
            """
        let document = #"""
            {"products":[{"id":1,"name":"Mug","brand_id":5,"ids":["a",9],"links":[{"to":"b"},{"to":"a"},{"to":"x"}]},
                         {"id":2,"name":"Cup","brand_id":null}],
             "meta":{"brands":[{"id":"5","name":"Oak"},{"id":"5","name":"Elm"},{"name":"Ash"}]},
             "categories":[{"key":{"code":"a"},"name":"A"},{"key":{"code":"b"},"name":"B"}]}
            """#
        let products = Array(try decodeMapped(document, mapping).products)
        #expect(products.map { text($0.attributes["brand"]) } == [#""Oak""#, nil])
        #expect(text(products.first?.category?.json) == #"["A"]"#)
        #expect(text(products.first?.attributes["listed"]) == #"["B","A"]"#)
    }

    @Test func `items of Larder's own form, and items within elements, are joined too`() throws {
        let own =
            #"{"products":[{"id":"1","name":"Mug","type":"physical","price":{"amount":5,"currency":"EUR"},"sales":0,"#
            + #""weight":1,"category":["c"]}],"tree":[{"id":"c","name":"Cups"}]}"#
        let joined = try decodeMapped(own, "{ includes: [{ path: tree, of: category, as: category }] }")
        #expect(text(joined.products.first?.category?.json) == #"[{"id":"c","name":"Cups"}]"#)
        let wrapped =
            #"{"edges":[{"node":{"id":1,"name":"Mug","price":5,"brand":7}}],"brands":[{"id":7,"name":"Oak"}]}"#
        let mapping = """
            { items: edges, item: node, type: physical, includes: [{ path: brands, of: brand, as: brand }],
              fields: { price.amount: price, maker: brand.name }, constants: { price.currency: EUR } }
            """
        #expect(try decodeMapped(wrapped, mapping).products.first?.attributes["maker"] == "Oak")
    }

    @Test func `an item is decoded again where only an object that it names has changed`() throws {
        let decoder = try makeDecoder(Self.mapping)
        let first = try decoder.decode(Array(Self.document(Self.mug).utf8))
        let known = try KnownProducts(Catalogue(first), from: first)
        let other = Self.included.replacing("/7.png", with: "/new.png")
        let second = try decoder.decode(Array(Self.document(Self.mug, included: other).utf8), knowing: known)
        #expect(second.products.first?.imageURL == "https://cdn.example/new.png")
    }

    @Test func `items in the document and parsed items give the same products`() throws {
        let decoder = try makeDecoder(Self.mapping)
        let document = Array(Self.document(Self.mug).utf8)
        let items = try #require(decoder.items(in: JSONParser().parse(document)))
        #expect(try Catalogue(decoder.decode(items: items)).encoded == Catalogue(decoder.decode(document)).encoded)
    }

    @Test func `a fault within a list refuses the document with its place`() throws {
        let problem = try mappedProblem(Self.document(Self.mug, included: #"[{"type":}]"#), Self.mapping)
        #expect(problem?.hasPrefix("invalid JSON at line 1") == true, "\(problem ?? "")")
    }
}
