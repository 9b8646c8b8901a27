internal import Logging
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Decoding

/// What a first document shows beside its products.
struct DecodingReportTests {
    private static let mapping = """
        { items: data.list, type: physical, fields: { price.amount: "prices.*.n" PICK }, constants: { price.currency: EUR } }
        """.replacing("\"prices.*.n\" PICK", with: "{ path: prices.*.n, pick: min }")

    private static func document(_ prices: [String], around: String = #""page":1"#) -> String {
        let items = prices.enumerated().map { #"{"id":\#($0),"name":"a","prices":[{"n":\#($1)}]}"# }
        return #"{"data":{"list":[\#(items.joined(separator: ","))],\#(around)},"facets":[{"count":900}]}"#
    }

    @Test(arguments: [
        (["0", "0", "1"], "2 of 3 products cost 0 (prices.*.n)"), (["0", "1"], "1 of 2 products cost 0 (prices.*.n)"),
        (["0.00"], "1 of 1 products cost 0 (prices.*.n)"), (["0", "1", "2"], nil), (["1"], nil), ([], nil),
    ])
    func `products that cost nothing are named where they are half or more`(prices: [String], text: String?) throws {
        #expect(try decodeMapped(Self.document(prices), Self.mapping).freeProducts == text)
    }

    @Test func `products of our own form that cost nothing are named`() throws {
        let own = #"[{"type":"physical","id":"1","name":"a","price":{"amount":0,"currency":"EUR"},"sales":0}]"#
        #expect(try NativeCatalogueDecoder().decode(Array(own.utf8)).freeProducts == "1 of 1 products cost 0")
    }

    @Test(arguments: [
        (#""total":3"#, "\"data.total\" is 3, and 2 items came"),
        (#""meta":{"numFound":5}"#, "\"data.meta.numFound\" is 5, and 2 items came"),
        (#""page":1,"seiten":3,"anzahl":5"#, "\"data.page\" is 1, and nothing says how many items there are"),
        (#""page":1,"total_pages":1"#, nil), (#""page":1,"total":2"#, nil), (#""total":2"#, nil), (#""count":2"#, nil),
        (#""total_amount":9,"account":70"#, nil), (#""total":"x""#, nil),
    ])
    func `a total above the items is named, and a page without a total`(around: String, text: String?) throws {
        #expect(try decodeMapped(Self.document(["1", "2"], around: around), Self.mapping).missingItems == text)
        // An item that is left out has come.
        let skipping = Self.mapping.replacing("{ items", with: "{ on_bad_item: skip, items")
        #expect(try decodeMapped(Self.document(["1", "-2"], around: around), skipping).missingItems == text)
    }

    @Test func `items that are variants of others count as items`() throws {
        let mapping = """
            { items: list, type: physical, fields: { price.amount: n }, variants: { parent: parent, fields: { price.amount: n } }, \
            constants: { price.currency: EUR } }
            """
        let items = #"[{"id":1,"name":"a","n":1},{"id":2,"n":1,"parent":1}]"#
        let decoded = try decodeMapped(#"{"list":\#(items),"total":2}"#, mapping)
        #expect(decoded.itemCount == 2 && decoded.products.count == 1 && decoded.missingItems == nil)
        let lost = try decodeMapped(#"{"list":\#(items),"total":3}"#, mapping)
        #expect(lost.missingItems == "\"total\" is 3, and 2 items came")
    }

    @Test func `both are in the log of the first document alone`() throws {
        let log = LogRecorder()
        let decoded = try decodeMapped(Self.document(["0"], around: #""total":3"#), Self.mapping)
        log.logger.report(decoded, isFirst: false, by: "shop")
        #expect(log.seen.isEmpty)
        log.logger.report(decoded, isFirst: true, by: "shop")
        #expect(
            log.seen == [
                "warning: half of the products or more cost nothing",
                "warning: the document may be one page of several; add \"pagination\"",
            ])
    }
}
