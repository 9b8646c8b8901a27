import Hashing
import Testing
import TestSupport

@testable import Products
@testable import Querying

/// Catalogues whose bytes are taken over unseen may hold anything between the brackets.
@Suite(.timeLimit(.minutes(2)))
struct UnseenCatalogueTests {
    private static let price = #""price":{"amount":1,"currency":"EUR"}"#
    private static let head = #""type":"physical","id":"1","name":"Mug",\#(price),"sales":5"#

    private static let amounts = #""denominations":[1,-2.5]"#
    private static let bundle = #""type":"bundle","id":"1","name":"n""#

    /// Products of every kind, with everything in them that readers look for.
    private static let good: [String] = [
        "{\(head),\"description\":\"d\\u00e9\\n\",\"category\":\"c\",\"note\":[1,{\"a\":null}]}",
        #"{"type":"bundle","id":"2","name":"Bündel",\#(price),"sales":0,"products":[{\#(head)}],"addOn":{\#(head)}}"#,
        #"{"type":"giftCard","id":"3","name":"","price":{"amount":-12.5,"currency":"EUR"},"sales":-7,\#(amounts)}"#,
        #"{"type":"odd","id":"K4;","name":"\"q\"",\#(price),"sales":12}"#,
    ]

    private func take(_ products: [String]) -> Catalogue? {
        var bytes = Array("[\(products.joined(separator: ","))]".utf8)
        let digest = SHA256Digest(of: bytes).hexDigits
        return Catalogue(trusting: &bytes, in: bytes.indices, count: products.count, digest: digest)
    }

    /// Uses a catalogue as requests and orders do.
    private func read(_ catalogue: Catalogue, beside other: Catalogue) throws {
        let listed = ProductsUseCase.marked(catalogue, by: PopularityRule())
        _ = DisplayedCatalogue(catalogue.products, listed.marks)
        let index = CatalogueIndex(catalogue, listed.marks)
        index.prepare()
        for query in [
            "sort=price,-sales,name,id,type,category", "min_price=1&max_price=5", "q=mug", "type=bundle&category=c",
            "popular=true", "ids=1,2",
        ] {
            let items = query.split(separator: "&").map { $0.split(separator: "=").map(String.init) }
            let parsed = try ProductsQuery(parsing: items.map { (name: $0[0], value: $0[1]) }, limits: PageLimits())
            _ = try index.page(of: parsed)
        }
        for id in ["1", "", "K4;", "é"] { _ = catalogue.position(ofID: id) }
        let factor = try #require(PriceFactor("1.5"))
        for text in catalogue.texts {
            _ = (text.id, text.name, text.price, text.sales, text.amountKey, text.isNegative, text.description)
            _ = (text.hasNegativeDenomination, text.members, text.contents.map(\.id), text.isFilled("description"))
            _ = factor.isExceeded(from: text, to: text)
        }
        for (from, to) in [(catalogue, other), (other, catalogue)] {
            _ = CatalogueDifference(from: from, to: to).changed
            _ = try? MemberOverlay(["price", "note"]).laid(from, over: to, as: .marked)
            _ = try? Catalogue(copying: from.ranges.indices.map { (from, $0) })
        }
    }

    @Test func `good products are seen to be canonical`() throws {
        let made = try Catalogue(encoded: Array("[\(Self.good.joined(separator: ","))]".utf8))
        let catalogue = try #require(take(made.ranges.map { String(decoding: made.encoded[$0], as: UTF8.self) }))
        #expect(catalogue.isUnseen && !catalogue.isDamaged)
        #expect(try catalogue.check())
        catalogue.settle(isDamaged: false)
        #expect(!catalogue.isUnseen && !catalogue.isDamaged)
        try read(catalogue, beside: made)
    }

    @Test func `products in another form are seen to be none of this version's`() throws {
        let catalogue = try #require(take([#"{\#(Self.head),"weight":"1.0"}"#.replacing("1,", with: "1.0,")]))
        #expect(try catalogue.check() == false)
    }

    @Test(arguments: [
        "{}", #"{"a":1}"#, "{,}", #"{"type":"physical"}"#, #"{"type":1,"id":2}"#, #"{"id":"1","type":"physical"}"#,
        #"{"type":"physical","id":"1","name":"a","price":1,"sales":2}"#, #"{"":""}"#, "{[]}", #"{"\""}"#,
        #"{\#(bundle),"price":{},"sales":0,"products":[1,,2],"addOn":3}"#,
        #"{\#(bundle),"price":{"amount":x,"currency":"E"},"sales":,"products":{"a":[]},"addOn":[]}"#,
        #"{\#(bundle),"price":{"amount":99999999999999999999.1.2,"currency":""},"sales":9,"products":{}}"#,
        #"{"type":"physical","id":"1","name":"\u12",\#(price),"sales":1,"description":"\ud800"}"#,
    ])
    func `bytes that are no product give wrong members and nothing worse`(product: String) throws {
        let other = try Catalogue(encoded: Array("[\(Self.good[0])]".utf8))
        guard let catalogue = take([product]) else { return }
        try read(catalogue, beside: other)
        #expect(throws: ProductsFailure.self) { try catalogue.check() }
    }

    @Test func `two products of one id are damage`() throws {
        let catalogue = try #require(take(["{\(Self.head)}", "{\(Self.head)}"]))
        try read(catalogue, beside: catalogue)
        #expect(throws: ProductsFailure.self) { try catalogue.check() }
    }

    @Test(arguments: [1000, 100_000])
    func `nesting is bounded`(depth: Int) throws {
        let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let catalogue = take([#"{\#(Self.head),"note":\#(deep)}"#])
        #expect((catalogue == nil) == (depth > 1024))
        if let catalogue {
            try read(catalogue, beside: catalogue)
            #expect(try catalogue.check())
        }
        guard depth < 10_000 else { return }
        let bundles = (0..<depth).reduce("{\(Self.head)}") { inner, _ in
            #"{"type":"bundle","id":"2","name":"B",\#(Self.price),"sales":0,"products":[\#(inner)]}"#
        }
        if let catalogue = take([bundles]) {
            try read(catalogue, beside: catalogue)
            #expect(throws: ProductsFailure.self) { try catalogue.check() }
        }
    }

    /// Changes some bytes of a product, but for what would be met when the bytes are taken over.
    private func mutated(_ product: String, _ random: inout SeededGenerator) -> String {
        var bytes = Array(product.utf8)
        let special = Array(#"{}[]",:\0-9aE. "#.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let at = Int.random(in: 1..<bytes.count - 1, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes[at] = random.pick(special)
            case 1: bytes.remove(at: at)
            default: bytes.insert(random.pick(special), at: at)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: 0..<10)
    func `whatever stands in the products, reading them ends nothing`(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let good = try Catalogue(encoded: Array("[\(Self.good.joined(separator: ","))]".utf8))
        let products = good.ranges.map { String(decoding: good.encoded[$0], as: UTF8.self) }
        var taken = 0
        for _ in 0..<100 {
            let changed = products.map { random.chance(60) ? mutated($0, &random) : $0 }
            guard let catalogue = take(changed) else { continue }
            taken += 1
            try read(catalogue, beside: good)
            // What a look calls canonical is what a decoder makes of it.
            if (try? catalogue.check()) == true {
                #expect(try Catalogue(encoded: catalogue.encoded).encoded == catalogue.encoded)
            } else {
                #expect((try? Catalogue(encoded: catalogue.encoded))?.encoded != catalogue.encoded)
            }
        }
        #expect(taken > 10)
    }

    @Test func `what is made of damaged products is damaged as well`() throws {
        let catalogue = try #require(take(["{\(Self.head)}"]))
        let other = try Catalogue(encoded: Array("[\(Self.good[3])]".utf8))
        let joined = try Catalogue(copying: [(catalogue, 0), (other, 0)])
        let note = try Catalogue(encoded: Array(#"[{\#(Self.head),"note":1}]"#.utf8))
        let laid = try MemberOverlay(["note"]).laid(note, over: catalogue, as: .laid).catalogue
        catalogue.settle(isDamaged: true)
        #expect(joined.isDamaged && laid.isDamaged && Catalogue(sharing: joined).isDamaged && !other.isDamaged)
    }
}
