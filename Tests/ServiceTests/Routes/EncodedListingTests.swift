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
        let document = try JSONParser().parse(listing.whole.body.bytes).object
        let products = try #require(document?["products"]?.array)
        #expect(products.map { $0.object?["name"]?.string } == ["Mug", "Cup"])
        #expect(products.allSatisfy { $0.object?["isPopular"]?.bool == true })
        #expect(document?["total"]?.number?.integer == 2)
    }

    @Test("One product is the very bytes it has in the document")
    func part() throws {
        let listing = EncodedListing(makeListing(try makeCatalogue(["Mug", "Cup"])))
        let cup = try #require(listing.product(withID: "2"))
        #expect(try JSONParser().parse(cup.body.bytes).object?["name"]?.string == "Cup")
        #expect(listing.whole.body.text.contains(cup.body.text))
        #expect(listing.product(withID: "3") == nil)
    }

    @Test("The tag changes with the rule of popularity, because the body does")
    func tagOfRule() throws {
        let answer = makeAnswer(try makeCatalogue())
        let tags = [100, 200].map {
            EncodedListing(ProductsListing(answer: answer, popularity: PopularityRule(salesOver: $0))).whole.entityTag
        }
        #expect(tags[0] != tags[1])
    }
}
