import Configuration
import FileSystem
import FoundationEssentials
import Persistence
import Products
import TestSupport
import Testing
import Wiring

@Suite struct StoreFamilyTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// The store that a config file describes, made in an assembly.
    private func store(_ text: String, isDryRun: Bool = false) throws -> any ProductsStore {
        let check = try makeCheck(
            text, sections: [.required("store", .component(StoreFamily.self), "the store under test")],
            environment: ["LARDER_PASSWORD": "hush"])
        let plan = check.root.component("store", StoreFamily.self)
        _ = try check.finish()
        var resources = ComponentResources()
        resources.set(LogRecorder().logger)
        if isDryRun { resources.set(DryRun()) }
        return try plan.instantiate(in: Assembly(resources: resources))
    }

    @Test func `a configured store keeps its generations in its directory`() async throws {
        let store = try store(
            "store: disk\nstores:\n  disk: { type: json_file, directory: \(directory.path), keep: 1 }\n")
        try await store.save(makeSnapshot("one"))
        try await store.save(makeSnapshot("two"))
        let answer = try await store.products(for: ProductsRequest())
        #expect(answer.snapshot.revision == (try makeSnapshot("two").revision))
        #expect(answer.trail.map(\.description) == ["disk: hit"])
    }

    @Test func `a dry run leaves the directory as it is and steps over damage`() async throws {
        let text = "store: disk\nstores:\n  disk: { type: json_file, directory: \(directory.path) }\n"
        let old = try makeSnapshot("old")
        try await store(text).save(old)
        try await store(text).save(makeSnapshot("new"))
        try Files.remove(directory(".lock"))
        try Files.remove(directory("generation-0000000002.json"))
        try Files.create(directory("generation-0000000002.json"), [])
        let files = try Files.list(directory.path)
        let dry = try store(text, isDryRun: true)
        try await dry.save(makeSnapshot("newer"))
        for _ in 0..<2 {
            #expect(try await dry.products(for: ProductsRequest()).snapshot.revision == old.revision)
        }
        #expect(try Files.list(directory.path) == files)
    }

    @Test(arguments: [
        ("{ type: json_file }", "directory"), ("{ type: json_file, directory: /x, keep: 0 }", "keep"),
        ("{ type: json_file, directory: /x, max_bytes: 0 }", "\"max_bytes\": \"0\" is out of range"),
        ("{ type: json_file, directory: /x, keep_for: 1h }", "\"keep_for\": expected mapping"),
        ("{ type: json_file, directory: /x, keep_for: { hourly: often } }", "bad duration \"often\""),
        ("{ type: json_file, directory: /x, keep_for: { weekly: 4w } }", "unknown key \"weekly\""),
    ])
    func `a bad store is reported with its place`(node: String, field: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try store("store: \(node)\n") }
        #expect(error?.description.contains(field) == true)
    }

    @Test(arguments: [
        ("{}", "keep_for keeps nothing; write it like { all: 1h, hourly: 48h, daily: 14d }"),
        ("{ all: 2d, hourly: 48h }", "hourly keeps nothing that all does not keep: it is no longer"),
        ("{ hourly: 48h, daily: 1d }", "daily keeps nothing that hourly does not keep: it is no longer"),
    ])
    func `windows that keep nothing are a warning`(windows: String, message: String) {
        let found = problems(
            "store: { type: json_file, directory: /x, keep_for: \(windows) }\n",
            sections: [.required("store", .component(StoreFamily.self), "the store under test")]
        ) { _ = $0.component("store", StoreFamily.self) }
        #expect(found.count == 1)
        #expect(found.first?.contains(message) == true, "\(found)")
    }

    @Test func `a configured store keeps history by age`() async throws {
        let store = try store(
            "store: { type: json_file, directory: \(directory.path), keep: 1, keep_for: { all: 1h }, max_bytes: 1MiB }\n"
        )
        let now = Date()
        for (index, age) in [7200.0, 1800, 60].enumerated() {
            let snapshot = try makeSnapshot("\(index)")
            try await store.save(
                ProductsSnapshot(
                    catalogue: snapshot.catalogue, fetchedAt: now.addingTimeInterval(-age), origin: .network))
        }
        let history = try #require(store as? any ProductsHistory)
        #expect(try await history.history().map(\.generation) == [3, 2])
    }

    @Test func `a dry run serves what is pinned`() async throws {
        let text = "store: disk\nstores:\n  disk: { type: json_file, directory: \(directory.path) }\n"
        let real = try store(text)
        for name in ["good", "bad"] { try await real.save(makeSnapshot(name)) }
        let history = try #require(real as? any ProductsHistory)
        _ = try await history.pin(.generation(1), by: OperatorOrder(at: Date(), by: "me", reason: nil))
        let dry = try store(text, isDryRun: true)
        let answer = try #require(await dry.pinned())
        #expect(answer.snapshot.revision == (try makeSnapshot("good").revision))
    }

    @Test func `every example is a good store`() throws {
        for spec in StoreFamily.specs {
            // Secrets come from the environment.
            let example = spec.example.replacing("${LARDER_PASSWORD}", with: "secret")
            #expect(throws: Never.self) { try store("store: \(example)\n") }
        }
    }

    private func makeSnapshot(_ name: String) throws -> ProductsSnapshot {
        let details = ProductDetails(id: "p1", name: name, price: Price(amount: 20, currency: "EUR"))
        return ProductsSnapshot(
            catalogue: try Catalogue(products: [PhysicalProduct(details: details)]), fetchedAt: ManualWallClock().now,
            origin: .network)
    }
}
