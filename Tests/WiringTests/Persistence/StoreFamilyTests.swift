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
            text, sections: [.required("store", .component(StoreFamily.self), "the store under test")])
        let plan = check.root.component("store", StoreFamily.self)
        _ = try check.finish()
        var resources = ComponentResources()
        resources.set(LogRecorder().logger)
        if isDryRun { resources.set(DryRun()) }
        return try plan.instantiate(in: Assembly(resources: resources))
    }

    @Test func aConfiguredStoreKeepsItsGenerationsInItsDirectory() async throws {
        let store = try store(
            "store: disk\nstores:\n  disk: { type: json_file, directory: \(directory.path), keep: 1 }\n")
        try await store.save(makeSnapshot("one"))
        try await store.save(makeSnapshot("two"))
        let answer = try await store.products(for: ProductsRequest())
        #expect(answer.snapshot.revision == (try makeSnapshot("two").revision))
        #expect(answer.trail.map(\.description) == ["disk: hit"])
    }

    @Test func aDryRunLeavesTheDirectoryAsItIsAndStepsOverDamage() async throws {
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
    ])
    func `a bad store is reported with its place`(node: String, field: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try store("store: \(node)\n") }
        #expect(error?.description.contains(field) == true)
    }

    @Test func everyExampleIsAGoodStore() throws {
        for spec in StoreFamily.specs {
            #expect(throws: Never.self) { try store("store: \(spec.example)\n") }
        }
    }

    private func makeSnapshot(_ name: String) throws -> ProductsSnapshot {
        let details = ProductDetails(id: "p1", name: name, price: Price(amount: 20, currency: "EUR"))
        return ProductsSnapshot(
            catalogue: try Catalogue(products: [PhysicalProduct(details: details)]), fetchedAt: ManualWallClock().now,
            origin: .network)
    }
}
