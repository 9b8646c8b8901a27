internal import Configuration
internal import FileSystem
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing
internal import Wiring

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct ProviderFamilyTests {
    @Test func `a config becomes a graph whose nodes bear their labels on the trail`() async throws {
        let directory = try TemporaryDirectory()
        try Files.create(directory("products.json"), makeBody())
        let yaml = """
            { type: memory, upstream: { type: fallback, \
            primary: { type: stored, store: { type: json_file, directory: \(directory("store")) } }, \
            secondary: { type: caching, store: { type: json_file, directory: \(directory("store")) }, \
            upstream: { type: validated, upstream: { type: file, path: \(directory("products.json")) } } } } }
            """
        let (provider, assembly) = try makeProvider(yaml)
        let answer = try await provider.ask()
        #expect(answer.steps == ["fallback: not-stored", "file: fetched", "caching: saving", "p: miss"])
        #expect(assembly.backgroundJobs.isEmpty)
    }

    @Test func `a memory that refreshes in the background does so as a job of the assembly`() throws {
        let (_, assembly) = try makeProvider(
            "{ type: memory, refresh: background, upstream: { type: file, path: x } }")
        #expect(assembly.backgroundJobs.map(\.name) == ["refresh of p"])
    }

    @Test func `what on: leaves out is not caught`() async throws {
        let (provider, _) = try makeProvider(
            """
            { type: fallback, on: [timeout, status], primary: { type: file, path: /none/a }, \
            secondary: { type: file, path: /none/b } }
            """)
        #expect(try await provider.failure()?.token == "store-failed")
    }
}
