import JSON
import Products
import ProductsTestSupport
import Testing

struct FailureSourceTests {
    private static let shop = "http://shop/v2/books"

    @Test(arguments: [
        (
            ProductsFailure.upstreamStatus(401, retryAfter: nil),
            "401 from http://shop/v2/books (provider \"books\")"
        ),
        (
            .upstreamStatus(503, retryAfter: .seconds(5)),
            "503 from http://shop/v2/books, and to retry after 5s (provider \"books\")"
        ),
        (.timedOut(after: .seconds(2)), "no answer within 2s from http://shop/v2/books (provider \"books\")"),
        (
            .unreachable(.refused, detail: "http://shop/v2/books: refused"),
            "upstream unreachable (refused): http://shop/v2/books: refused (provider \"books\")"
        ),
        (.tooLarge(limit: 9), "the answer is longer than 9 bytes, from http://shop/v2/books (provider \"books\")"),
        (
            .refused(.empty(count: 0, minimum: 1)),
            "catalogue refused: 0 products are fewer than the minimum, 1, from http://shop/v2/books "
                + "(provider \"books\")"
        ),
        (.notStored, "nothing has been stored yet"),
    ])
    func `messages name the URL once, the provider, the part of a merge and the item`(
        failure: ProductsFailure, message: String
    ) {
        #expect("\(failure.from(provider: "books", url: Self.shop))" == message)
    }

    @Test func `the innermost part counts, and what was known stays`() {
        let failure = ProductsFailure.malformed(detail: "[3].name: missing", at: FailureSource(itemID: .string("b-3")))
        let located = failure.from(provider: "books", url: Self.shop).within(part: "toys").within(part: "all")
        #expect(
            "\(located)"
                == "not a catalogue: [3].name: missing, from http://shop/v2/books (provider \"books\", part \"toys\", "
                + "item \"b-3\")")
    }

    @Test func `it makes no difference between failures, and for metrics`() {
        let failure = ProductsFailure.timedOut(after: nil)
        let located = failure.from(provider: "books", url: Self.shop)
        #expect(located == failure)
        #expect(Set([located, failure]).count == 1)
        #expect(located.token == failure.token)
    }

    @Test func `it is rid of secrets, as the failure is`() {
        let failure = ProductsFailure.malformed(detail: "x", at: FailureSource(itemID: .string("id-hunter2")))
            .from(provider: "books", url: "http://shop/hunter2").redacting(["hunter2"])
        #expect(
            "\(failure)"
                == "not a catalogue: x, from http://shop/<redacted> (provider \"books\", item \"id-<redacted>\")")
    }

    @Test(arguments: [
        (#"{"type":"physical","id":"sku-9"}"#, "not a catalogue: [1].name: missing (item \"sku-9\")"),
        (#"{"type":"physical","id":47}"#, "not a catalogue: [1].name: missing (item \"47\")"),
        (#"{"type":"physical","id":""}"#, "not a catalogue: [1].id: expected a non-empty string or a number"),
        (#"7"#, "not a catalogue: [1]: expected an object, found a number"),
    ])
    func `a bad item is named by its id as well as its index, where it has one`(item: String, message: String) throws {
        let body = "[\(ProductsTestSupport.item("physical", id: "good")),\(item)]"
        let failure = try #require(throws: ProductsFailure.self) {
            try NativeCatalogueDecoder().decode(Array(body.utf8))
        }
        #expect("\(failure)" == message)
    }
}
