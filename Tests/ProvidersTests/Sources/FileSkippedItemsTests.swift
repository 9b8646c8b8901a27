internal import FileSystem
internal import Products
internal import TestSupport
internal import Testing

@testable internal import Providers

struct FileSkippedItemsTests {
    @Test("items that were left out are logged once for each state of the file, with their number and the first reason")
    func logged() async throws {
        let directory = try TemporaryDirectory()
        let log = LogRecorder()
        let provider = FileProductsProvider(
            path: directory("products.json"), decoder: try makeDecoder("{ on_bad_item: skip }"), logger: log.logger)
        let good = #"{"type":"digital","id":1,"name":"Song","price":{"amount":1,"currency":"EUR"}}"#
        let texts = ["[\(good),7,{}]", "[\(good),8]", "[\(good)]"]
        for text in texts {
            try Files.replace(directory("products.json"), with: Array(text.utf8), temporary: directory("new"))
            for _ in 0..<3 { #expect(try await provider.ask().snapshot.products.map(\.id) == ["1"]) }
        }
        let message = "warning: items were left out of the catalogue"
        #expect(log.seen == [message, message])
        let reason = "[1]: expected an object, found a number"
        #expect(
            log.seenLines.map(\.metadata) == [
                ["provider": "file", "items": "2", "first": reason],
                ["provider": "file", "items": "1", "first": reason],
            ])
    }
}
