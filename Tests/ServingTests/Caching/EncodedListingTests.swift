import FoundationEssentials
import HTTPServer
import JSON
import ServingTestSupport
import Testing
import TestSupport

@testable import Products
@testable import Querying
@testable import Serving

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
        let position = try #require(listing.catalogue.position(ofID: "2"))
        let cup = try #require(listing.plain.product(at: position).ready)
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
        let shown = try await listing.view(ProductsForm(view: .display)).value
        let document = try JSONParser().parse(shown.whole.representation.body.bytes).object
        let products = try #require(document?["products"]?.array)
        #expect(products.map { $0.object?["title"]?.string } == ["Mug", "Cup"])
        #expect(products.map { $0.object?["priceLabel"]?.string } == ["19.90 EUR", "19.90 EUR"])
        #expect(document?["total"]?.number?.integer == 2)
        let cup = try #require(shown.product(at: 1).ready)
        #expect(try JSONParser().parse(cup.body.bytes) == products[1])
        #expect(shown.whole.representation.entityTag != listing.plain.whole.representation.entityTag)
        #expect(cup.entityTag != listing.plain.product(at: 1).ready?.entityTag)
        #expect(try await listing.view(ProductsForm(view: .display)).value === shown)
        #expect(try await listing.view(ProductsForm()).value === listing.plain)
    }

    @Test func `concurrent requests for gzip compress each response once`() async throws {
        let listing = EncodedListing(makeListing(try makeCatalogue((0..<300).map { "Mug \($0)" })))
        for query in [nil, ProductsQuery(view: .display), ProductsQuery(limit: 100)] {
            let answers = try await withThrowingTaskGroup { group in
                for _ in 0..<100 { group.addTask { try await listing.response(to: query, .gzip).value } }
                return try await group.reduce(into: [CachedResponse]()) { $0.append($1) }
            }
            #expect(answers.count == 100)
            #expect(Set(answers.map { ObjectIdentifier($0.representation.body) }).count == 1)
            let plain = try await listing.response(to: query, .identity).value
            #expect(answers[0].representation.coding == .gzip)
            #expect(answers[0].next == plain.next)
            #expect(Gzip.unpacked(answers[0].representation.body.bytes) == plain.representation.body.bytes)
        }
    }

    @Test func `a query that finds all products in order shares the bytes of the whole`() async throws {
        let listing = EncodedListing(makeListing(try makeCatalogue((0..<50).map { "Mug \($0)" })))
        for view in [nil, ProductsView.display] {
            for coding in [ContentCoding.identity, .gzip] {
                let whole = try await listing.response(to: ProductsQuery(view: view), coding).value
                let all = [ProductsQuery(maxPrice: 20, view: view), ProductsQuery(limit: 50, view: view)]
                for query in all { #expect(try await listing.response(to: query, coding).value === whole) }
                for query in [
                    ProductsQuery(limit: 49, view: view), ProductsQuery(maxPrice: 1, view: view),
                    ProductsQuery(sort: [ProductsSortKey(.name, isDescending: true)], view: view),
                    ProductsQuery(fields: ProductFields(["id"]), view: view),
                ] {
                    let part = try await listing.response(to: query, coding).value
                    #expect(part.representation.body !== whole.representation.body)
                    #expect(part.representation.entityTag != whole.representation.entityTag)
                }
            }
        }
    }

    @Test func `a large product is encoded off the loops once and then kept`() async throws {
        let large = String(repeating: "Mug ", count: 20_000)
        let listing = EncodedListing(makeListing(try makeCatalogue(["Mug", large])))
        #expect(listing.product(at: 0, nil, .identity).ready != nil)
        for coding in [ContentCoding.identity, .gzip] {
            let before = listing.product(at: 1, nil, coding).ready
            let made = try await listing.product(at: 1, nil, coding).value
            #expect(before == nil)
            #expect(listing.product(at: 1, nil, coding).ready?.body === made.body)
        }
        let document = listing.plain.whole.representation.body.text
        #expect(document.contains(try await listing.product(at: 1, nil, .identity).value.body.text))
    }

    @Test func `a product is compressed once where it pays`() async throws {
        let long = String(repeating: "Mug ", count: 300)
        let listing = EncodedListing(makeListing(try makeCatalogue(["Mug", long])))
        let short = try await listing.product(at: 0, nil, .gzip).value
        #expect(short.coding == .identity)
        #expect(try await listing.product(at: 0, nil, .identity).value.body === short.body)
        let plain = try await listing.product(at: 1, nil, .identity).value
        let zipped = try await listing.product(at: 1, nil, .gzip).value
        #expect(zipped.coding == .gzip)
        #expect(Gzip.unpacked(zipped.body.bytes) == plain.body.bytes)
        #expect(try await listing.product(at: 1, nil, .gzip).value.body === zipped.body)
        let query = ProductsQuery(fields: ProductFields(["name"]))
        let some = try await listing.product(at: 1, query, .identity).value
        #expect(some.body.count < plain.body.count)
        #expect(try await listing.product(at: 1, query, .identity).value.body === some.body)
        #expect(try await listing.product(at: 1, query, .gzip).value.body !== zipped.body)
    }
}
