import HTTPServer
import JSON
import Products
import Testing

@testable import Service

@Suite("Encoded listings")
struct EncodedListingTests {
    @Test("The document has every product, whether it is popular, and their number")
    func document() throws {
        let listing = EncodedListing(makeListing(try makeCatalogue(["Mug", "Cup"], sales: 101)))
        let document = try JSONParser().parse(listing.plain.whole.body.bytes).object
        let products = try #require(document?["products"]?.array)
        #expect(products.map { $0.object?["name"]?.string } == ["Mug", "Cup"])
        #expect(products.allSatisfy { $0.object?["isPopular"]?.bool == true })
        #expect(document?["total"]?.number?.integer == 2)
    }

    @Test("One product is the very bytes it has in the document")
    func part() throws {
        let listing = EncodedListing(makeListing(try makeCatalogue(["Mug", "Cup"])))
        let cup = listing.plain.product(at: try #require(listing.catalogue.position(ofID: "2")))
        #expect(try JSONParser().parse(cup.body.bytes).object?["name"]?.string == "Cup")
        #expect(listing.plain.whole.body.text.contains(cup.body.text))
    }

    @Test("The tag changes with the rule of popularity, because the body does")
    func tagOfRule() throws {
        let answer = makeAnswer(try makeCatalogue())
        let tags = [100, 200].map {
            EncodedListing(ProductsListing(answer: answer, popularity: PopularityRule(salesOver: $0))).plain.whole
                .entityTag
        }
        #expect(tags[0] != tags[1])
    }

    @Test("The display view has the same products in the same order, and tags of its own")
    func display() async throws {
        let listing = EncodedListing(makeListing(try makeCatalogue(["Mug", "Cup"])))
        let shown = await listing.view(.display)
        let document = try JSONParser().parse(shown.whole.body.bytes).object
        let products = try #require(document?["products"]?.array)
        #expect(products.map { $0.object?["title"]?.string } == ["Mug", "Cup"])
        #expect(products.map { $0.object?["priceLabel"]?.string } == ["19.90 EUR", "19.90 EUR"])
        #expect(document?["total"]?.number?.integer == 2)
        #expect(try JSONParser().parse(shown.product(at: 1).body.bytes) == products[1])
        #expect(shown.whole.entityTag != listing.plain.whole.entityTag)
        #expect(shown.product(at: 1).entityTag != listing.plain.product(at: 1).entityTag)
        #expect(await listing.view(.display) === shown)
        #expect(await listing.view(nil) === listing.plain)
    }

    @Test("The display view's tag is that of its content: the same for equal products, another for others")
    func displayTag() async throws {
        var tags: [String] = []
        for name in ["Mug", "Mug", "Cup"] {
            let listing = EncodedListing(makeListing(try makeCatalogue([name])))
            tags.append(await listing.view(.display).whole.entityTag)
        }
        #expect(tags[0] == tags[1])
        #expect(tags[0] != tags[2])
    }
}
