import FileSystem
import FoundationEssentials
import JSON
import Persistence
import Products
import TestSupport
import Testing

@testable import larder

struct StoreCommandsTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    /// A graph with one store.
    private func oneStore(isBelowMemory: Bool = false) throws -> String {
        let stored = "{ type: stored, store: disk }"
        return try fixture.config(
            """
            stores: { disk: { type: json_file, directory: "\(fixture.directory("disk"))" } }
            serve: \(isBelowMemory ? "{ type: memory, upstream: \(stored) }" : stored)
            """)
    }

    /// A graph with two stores, one of which has no label.
    private func twoStores() throws -> String {
        try fixture.config(
            """
            stores: { disk: { type: json_file, directory: "\(fixture.directory("disk"))" } }
            serve:
              type: fallback
              primary: { type: stored, store: disk }
              secondary: { type: stored, store: { type: json_file, directory: "\(fixture.directory("spare"))" } }
            """)
    }

    private func catalogue(_ name: String) throws -> Catalogue {
        let price = Price(amount: 19.9, currency: "EUR")
        return try Catalogue(
            products: [PhysicalProduct(details: ProductDetails(id: "1", name: name, price: price, sales: 0))])
    }

    private func save(_ names: [String], in name: String = "disk") async throws {
        let store = JSONFileProductsStore(directory: fixture.directory(name), logger: LogRecorder().logger)
        for (index, name) in names.enumerated() {
            let moment = Date(timeIntervalSince1970: 1_769_860_800 + Double(60 * index))
            try await store.save(
                ProductsSnapshot(catalogue: try catalogue(name), fetchedAt: moment, origin: .network))
        }
    }

    private func path(_ number: Int, in name: String = "disk") -> String {
        fixture.directory("\(name)/generation-000000000\(number).json")
    }

    private func damage(_ number: Int) throws {
        try Files.remove(path(number))
        try Files.create(path(number), Array("{}".utf8))
    }

    @Test func `a list says which generation is pinned`() async throws {
        try await save(["Mug", "Cup"])
        let order = OperatorOrder(at: Date(timeIntervalSince1970: 1_769_860_800), by: "root", reason: nil)
        _ = try GenerationArchive(directory: fixture.directory("disk")).pin(.generation(1), by: order)
        let lines = try await fixture.run("store list", try oneStore()).split(separator: "\n")
        #expect(lines.map { $0.hasSuffix("ok, pinned") } == [false, false, false, true])
        let json = try await fixture.run("store list --format json", try oneStore())
        #expect(json.contains(#""pinned":1"#))
    }

    @Test func `a list is a table, newest first, with the files moved aside below it`() async throws {
        try await save(["Mug", "Cup"])
        try damage(2)
        try Files.create(fixture.directory("disk/generation-0000000009.json.corrupt"), [])
        try await fixture.run("store list", try oneStore())
        let size = try Files.status(of: path(1)).size
        #expect(
            fixture.printed.value == """
                disk: \(fixture.directory("disk"))
                GENERATION  FETCHED                  AGE  PRODUCTS  BYTES  SOURCE   STATE
                         2  -                          -         -      2  -        damaged: the format is missing
                         1  2026-01-31T12:00:00Z  2h1m5s         1    \(size)  network  ok
                \(fixture.directory("disk"))/generation-0000000009.json.corrupt: moved aside because it was damaged

                """)
    }

    @Test
    func `all stores of the graph are listed, by the names that metrics have for them; empty ones too`() async throws {
        try await save(["Mug"], in: "spare")
        try await fixture.run("store list", try twoStores())
        #expect(
            fixture.printed.value.hasPrefix(
                "disk: \(fixture.directory("disk"))\nno generations\n\nserve.secondary.store: "))
        #expect(!Files.exists(fixture.directory("disk")))
    }

    @Test func `for scripts the list is JSON`() async throws {
        try await save(["Mug", "Cup"])
        try damage(2)
        try await fixture.run("store list --store disk --format json", try twoStores())
        let stores = try JSONParser().parse(Array(fixture.printed.value.utf8)).array
        let store = try #require(stores?.first?.object)
        #expect(stores?.count == 1)
        #expect(store["store"] == "disk")
        #expect(store["directory"] == .string(fixture.directory("disk")))
        #expect(store["moved_aside"] == .array([]))
        let size = try Files.status(of: path(1)).size
        let digest = try catalogue("Mug").digest
        let damaged: JSONObject = [
            "generation": 2, "path": .string(path(2)), "bytes": 2, "state": "damaged",
            "fault": "damaged: the format is missing",
        ]
        let good: JSONObject = [
            "generation": 1, "path": .string(path(1)), "bytes": .number(JSONNumber(size)), "state": "ok",
            "fetched_at": "2026-01-31T12:00:00Z", "age_seconds": 7265, "products": 1, "source": "network",
            "sha256": .string(digest),
        ]
        #expect(store["generations"] == .array([.object(damaged), .object(good)]))
    }

    @Test func `an age is never negative`() async throws {
        try await save(["Mug"])
        fixture.clock.now = Date(timeIntervalSince1970: 1_700_000_000)
        try await fixture.run("store list", try oneStore())
        #expect(fixture.printed.value.contains("2026-01-31T12:00:00Z   0s "))
    }

    @Test(arguments: ["text", "json"])
    func `verifying reports each generation, and fails when one is damaged, which stays`(format: String) async throws {
        try await save(["Mug", "Cup", "Jug"])
        let config = try oneStore()
        let sound = try await fixture.run("store verify", config)
        #expect(sound == [3, 2, 1].map { "\(path($0)): ok\n" }.joined())
        try damage(2)
        let failure = await fixture.failure("store verify --format \(format)", config)
        #expect(failure == "larder: store \"disk\": 1 of 3 generations cannot be used")
        let fault = "damaged: the format is missing"
        if format == "text" {
            #expect(fixture.printed.value == "\(path(3)): ok\n\(path(2)): \(fault)\n\(path(1)): ok\n")
        }
        #expect(fixture.printed.value.contains(fault))
        #expect(Files.exists(path(2)))
    }

    @Test func `a generation of a newer version is reported, and is no damage`() async throws {
        try await save(["Mug"])
        try Files.create(path(2), Array(#"{"format":3,"products":[]}"#.utf8))
        let report = try await fixture.run("store verify", try oneStore())
        #expect(report.hasPrefix("\(path(2)): written in format 3, newer than 2, the newest known\n"))
    }

    @Test(arguments: [("", "Cup"), (" 1", "Mug"), (" 2", "Cup")])
    func `showing prints the products as they were stored`(generation: String, name: String) async throws {
        try await save(["Mug", "Cup"])
        let shown = try await fixture.run("store show\(generation)", try oneStore())
        #expect(shown == String(decoding: try catalogue(name).encoded, as: UTF8.self) + "\n")
    }

    @Test func `a pin offline is one to an older generation by itself, and says so, until it is taken off`()
        async throws
    {
        try await save(["Mug", "Cup"])
        let config = try oneStore(isBelowMemory: true)
        let printed = try await fixture.run("pin --offline --store disk --reason prices", config)
        #expect(printed.hasPrefix("disk: generation 1 (revision "))
        #expect(printed.hasSuffix(" by operator by larder: prices\n"))
        #expect(fixture.notes.value == [PinText.consequence])
        let pin = try #require(GenerationArchive(directory: fixture.directory("disk")).pin)
        #expect(pin.generation == 1)
        #expect(pin.order.by == "operator by larder")
        #expect(pin.order.reason == "prices")
        #expect(
            await fixture.failure("pin --offline", config) == "larder: no usable generation in "
                + "\(fixture.directory("disk")) that is older than 1 has other products")
        #expect(
            await fixture.failure("pin --offline --revision abcd", config) == "larder: there is no generation whose "
                + "revision begins with abcd in \(fixture.directory("disk")), only 2, 1")
        #expect(
            try await fixture.run("pin --offline --generation 2", config).hasPrefix("disk: generation 2 (revision "))
        #expect(
            try await fixture.run("unpin --offline --confirm", config).hasPrefix("disk: the pin is off: generation 2 "))
        #expect(try await fixture.run("unpin --offline --confirm", config) == "disk: nothing was pinned\n")
    }

    @Test func `a pin that no memory would serve is refused, and a check says so`() async throws {
        try await save(["Mug", "Cup"])
        let config = try oneStore()
        let cause =
            "no generation of store \"disk\" can be pinned; it takes a \"memory\" above its \"caching\", with no \"merge\", "
            + "\"overlay\", \"audience\" or \"ab_test\" between the two"
        #expect(await fixture.failure("pin --offline", config) == "larder: \(cause)")
        #expect(GenerationArchive(directory: fixture.directory("disk")).pin == nil)
        _ = try await fixture.run("check", config)
        #expect(fixture.notes.value.last?.hasSuffix(cause.replacing("store \"disk\"", with: "\"disk\"")) == true)
    }

    @Test func `verifying a missing directory fails; one without generations is sound`() async throws {
        let config = try oneStore()
        let failure = await fixture.failure("store verify", config)
        #expect(failure == "larder: store \"disk\": there is no directory \(fixture.directory("disk"))")
        try Files.createDirectories(fixture.directory("disk"))
        let report = try await fixture.run("store verify", config)
        #expect(report == "\(fixture.directory("disk")): no generations\n")
    }

    @Test(arguments: ["store list", "check"])
    func `a command whose output cannot be written fails`(command: String) async throws {
        let config = try oneStore()
        var environment = fixture.environment
        environment.output = { _ in throw FileSystemError(.write, path: "standard output", code: 28) }
        await #expect(throws: FileSystemError.self) { try await fixture.run(command, config, in: environment) }
    }

    @Test func `where there are several stores, one must be chosen, and exist`() async throws {
        let config = try twoStores()
        let names = "disk, serve.secondary.store"
        #expect(
            await fixture.failure("store show", config)
                == "larder: the graph has several stores; choose one with --store: \(names)")
        #expect(
            await fixture.failure("store list --store disc", config)
                == "larder: no store of the graph is called \"disc\"; there is \(names)")
        #expect(
            await fixture.failure("store show --store disk", config)
                == "larder: there is no generation in \(fixture.directory("disk"))")
        #expect(!Files.exists(fixture.directory("disk")))
    }

    @Test func `a graph without a store is an error with its position`() async throws {
        let config = try fixture.config("serve: { type: http, request: { base_url: \"http://shop.example\" } }")
        #expect(
            await fixture.failure("store list", config)
                == "\(config):1:8: error: the graph that is served has no store")
    }
}
