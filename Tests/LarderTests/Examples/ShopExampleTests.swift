import FileSystem
import JSON
import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct ShopExampleTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `each file is for a recorded API or for a composition`() throws {
        let files = try Files.list("\(Repository.root)/config/examples").sorted()
        let configs = (Example.shops + Example.compositions).map { "\($0.name).yaml" }
        #expect(files == (configs + ["followers", "shops"]).sorted())
    }

    @Test(arguments: Example.shops + Example.compositions)
    func `larder check names missing variables`(example: Example) async throws {
        let result = try await LarderProcess.run(["check", "--config", example.config], in: directory)
        #expect(result.status == (example.needed.isEmpty ? 0 : 1))
        for variable in example.needed { #expect(result.error.contains(variable)) }
    }

    @Test(arguments: Example.shops + Example.currencies, [4, nil])
    func `larder fetch prints the whole catalogue, in order, with prices to the digit`(example: Example, pageSize: Int?)
        async throws
    {
        let recording = example.recording
        let shop = StandIn(recording)
        defer { shop.close() }
        let result = try await fetch(example, from: shop, pageSize: pageSize)
        #expect(result.status == 0)
        #expect(JSONValue.products(in: result.output) == recording.products)
        let pages = recording.paging == nil ? 1 : (recording.items.count + 3) / 4
        #expect(shop.requestHeads.count == (pageSize == nil ? 1 : pages))
        #expect(!example.isTold(in: String(decoding: result.output, as: UTF8.self) + result.error))
    }

    @Test(arguments: Example.shops)
    func `members that the config does not ask for are not served, although the shop sends them`(example: Example)
        async throws
    {
        let shop = StandIn(example.recording, ignoring: ["fields", "_fields", "exclude_fields"])
        defer { shop.close() }
        let result = try await fetch(example, from: shop)
        #expect(JSONValue.products(in: result.output) == example.recording.products)
    }

    @Test(arguments: Example.shops.filter { !$0.secrets.isEmpty })
    func `a refused secret is a failure that does not tell it`(example: Example) async throws {
        let shop = StandIn(example.recording)
        defer { shop.close() }
        let result = try await fetch(example, from: shop, secret: "stale-key")
        #expect(result.status == 1)
        #expect(result.output == [])
        #expect(result.error.contains("401"))
        #expect(!result.error.contains("stale-key"))
        #expect(!example.isTold(in: result.error))
        #expect(shop.requestHeads.count == 1)
    }

    @Test(arguments: Example.shops)
    func `a shop that dies in the middle of its second page leaves the catalogue as it was, until it lives again`(
        example: Example
    ) async throws {
        let recording = example.recording
        let shop = StandIn(recording, skipping: 1)
        defer { shop.close() }
        let settings = ["LARDER_TTL": "50ms", "LARDER_PAGE_SIZE": "4"]
        try await ExampleService.with(example, upstreams: [shop], settings: settings, in: directory) { service in
            let before = try await service.get()
            #expect(JSONValue.products(in: before.body) == Array(recording.products.dropFirst()))
            #expect(before.headers["ETag"] != nil)

            shop.doom()
            try await eventually {
                _ = try await service.get()
                return service.process.count(of: "upstream fails, serving the last good catalogue") > 0
            }
            #expect(shop.deaths >= 1)
            let during = try await service.get()
            #expect(during.status == 200)
            #expect(during.headers["ETag"] == before.headers["ETag"])
            #expect(during.body == before.body)

            shop.revive()
            try await eventually { try await service.products() == recording.products }
        }
    }

    private func fetch(
        _ example: Example, from shop: StandIn, pageSize: Int? = nil, secret: String? = nil
    ) async throws -> (status: Int32?, output: [UInt8], error: String) {
        var environment = try example.environment(upstreams: [shop.url], in: directory, secret: secret)
        environment["LARDER_PAGE_SIZE"] = pageSize.map { "\($0)" }
        return try await LarderProcess.run(
            ["fetch", "--config", example.config], environment: environment, in: directory)
    }
}
