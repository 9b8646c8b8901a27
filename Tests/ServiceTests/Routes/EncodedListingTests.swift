@testable import API
import FoundationEssentials
import HTTPServer
import JSON
import Products
import TestSupport
import Testing

@testable import Service

@Suite struct EncodedListingTests {
    @Test func `the document has every product, its popularity and the total`() throws {
        let listing = EncodedListing(makeListing(try makeCatalogue(["Mug", "Cup"], sales: 101)))
        let document = try JSONParser().parse(listing.plain.whole.representation.body.bytes).object
        let products = try #require(document?["products"]?.array)
        #expect(products.map { $0.object?["name"]?.string } == ["Mug", "Cup"])
        #expect(products.allSatisfy { $0.object?["isPopular"]?.bool == true })
        #expect(document?["total"]?.number?.integer == 2)
    }

    @Test func `one product has its bytes in the document`() throws {
        let listing = EncodedListing(makeListing(try makeCatalogue(["Mug", "Cup"])))
        let cup = listing.plain.product(at: try #require(listing.catalogue.position(ofID: "2")))
        #expect(try JSONParser().parse(cup.body.bytes).object?["name"]?.string == "Cup")
        #expect(listing.plain.whole.representation.body.text.contains(cup.body.text))
    }

    @Test func `the tag changes with the rule of popularity`() throws {
        let answer = makeAnswer(try makeCatalogue())
        let tags = [100, 200].map {
            EncodedListing(ProductsListing(answer: answer, popularity: PopularityRule(salesOver: $0))).plain.whole
                .representation
                .entityTag
        }
        #expect(tags[0] != tags[1])
    }

    @Test func `the display view has the same products in order, and tags of its own`() async throws {
        let listing = EncodedListing(makeListing(try makeCatalogue(["Mug", "Cup"])))
        let shown = await listing.view(.display)
        let document = try JSONParser().parse(shown.whole.representation.body.bytes).object
        let products = try #require(document?["products"]?.array)
        #expect(products.map { $0.object?["title"]?.string } == ["Mug", "Cup"])
        #expect(products.map { $0.object?["priceLabel"]?.string } == ["19.90 EUR", "19.90 EUR"])
        #expect(document?["total"]?.number?.integer == 2)
        #expect(try JSONParser().parse(shown.product(at: 1).body.bytes) == products[1])
        #expect(shown.whole.representation.entityTag != listing.plain.whole.representation.entityTag)
        #expect(shown.product(at: 1).entityTag != listing.plain.product(at: 1).entityTag)
        #expect(await listing.view(.display) === shown)
        #expect(await listing.view(nil) === listing.plain)
    }

    @Test func `concurrent requests for gzip compress each response once`() async throws {
        let listing = EncodedListing(makeListing(try makeCatalogue((0..<300).map { "Mug \($0)" })))
        for query in [nil, ProductsQuery(view: .display), ProductsQuery(limit: 100)] {
            let answers = try await withThrowingTaskGroup { group in
                for _ in 0..<100 { group.addTask { try await listing.answer(to: query, .gzip) } }
                return try await group.reduce(into: [CachedResponse]()) { $0.append($1) }
            }
            #expect(answers.count == 100)
            #expect(Set(answers.map { ObjectIdentifier($0.representation.body) }).count == 1)
            let plain = try await listing.answer(to: query, .identity)
            #expect(answers[0].representation.coding == .gzip)
            #expect(answers[0].next == plain.next)
            #expect(Gzip.unpacked(answers[0].representation.body.bytes) == plain.representation.body.bytes)
        }
    }

    @Test func `a query that finds all products in order shares the bytes of the whole`() async throws {
        let listing = EncodedListing(makeListing(try makeCatalogue((0..<50).map { "Mug \($0)" })))
        for view in [nil, ProductsView.display] {
            for coding in [ContentCoding.identity, .gzip] {
                let whole = try await listing.answer(to: ProductsQuery(view: view), coding)
                let all = [ProductsQuery(maxPrice: 20, view: view), ProductsQuery(limit: 50, view: view)]
                for query in all { #expect(try await listing.answer(to: query, coding) === whole) }
                for query in [
                    ProductsQuery(limit: 49, view: view), ProductsQuery(maxPrice: 1, view: view),
                    ProductsQuery(sort: [ProductsSortKey(.name, isDescending: true)], view: view),
                    ProductsQuery(fields: ProductFields(["id"]), view: view),
                ] {
                    let part = try await listing.answer(to: query, coding)
                    #expect(part.representation.body !== whole.representation.body)
                    #expect(part.representation.entityTag != whole.representation.entityTag)
                }
            }
        }
    }

    @Test func `a large product is encoded off the loops once and then kept`() async throws {
        let large = String(repeating: "Mug ", count: 20_000)
        let listing = EncodedListing(makeListing(try makeCatalogue(["Mug", large])))
        #expect(listing.keptProduct(at: 0, nil, .identity) != nil)
        for coding in [ContentCoding.identity, .gzip] {
            let before = listing.keptProduct(at: 1, nil, coding)
            let made = try await listing.product(at: 1, nil, coding)
            #expect(before == nil)
            #expect(listing.keptProduct(at: 1, nil, coding)?.body === made.body)
        }
        let document = listing.plain.whole.representation.body.text
        #expect(document.contains(try await listing.product(at: 1, nil, .identity).body.text))
    }

    @Test func `a product is compressed once where it pays`() async throws {
        let long = String(repeating: "Mug ", count: 300)
        let listing = EncodedListing(makeListing(try makeCatalogue(["Mug", long])))
        let short = try await listing.product(at: 0, nil, .gzip)
        #expect(short.coding == .identity)
        #expect(try await listing.product(at: 0, nil, .identity).body === short.body)
        let plain = try await listing.product(at: 1, nil, .identity)
        let zipped = try await listing.product(at: 1, nil, .gzip)
        #expect(zipped.coding == .gzip)
        #expect(Gzip.unpacked(zipped.body.bytes) == plain.body.bytes)
        #expect(try await listing.product(at: 1, nil, .gzip).body === zipped.body)
        let query = ProductsQuery(fields: ProductFields(["name"]))
        let some = try await listing.product(at: 1, query, .identity)
        #expect(some.body.count < plain.body.count)
        #expect(try await listing.product(at: 1, query, .identity).body === some.body)
        #expect(try await listing.product(at: 1, query, .gzip).body !== zipped.body)
    }
}
