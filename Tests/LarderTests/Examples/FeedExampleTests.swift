import FileSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FeedExampleTests {
    @Test(arguments: [false, true])
    func `the config reads a feed, packed or not, and leaves nothing to warn of`(isPacked: Bool) async throws {
        let directory = try TemporaryDirectory()
        let feed = try Files.read("\(Repository.root)/Tests/Catalogues/google-merchant-rss/document.xml")
        try Files.create(directory("feed"), isPacked ? Gzip.packed(feed) : feed)
        let arguments = ["check", "--strict", "--config", Example.googleFeed.config, "--sample", directory("feed")]
        let environment = ["LARDER_UPSTREAM_URL": "https://shop.example", "LARDER_DATA": directory("data")]
        let result = try await LarderProcess.run(arguments, environment: environment, in: directory)
        #expect(result.error == "")
        #expect(
            String(decoding: result.output, as: UTF8.self).hasPrefix(
                "\(directory("feed")): 4 products, 0 skipped, 0 left out\n"))
    }
}
