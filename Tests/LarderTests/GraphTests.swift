import TestSupport
import Testing

@Suite("larder graph", .timeLimit(.minutes(1)))
struct GraphTests {
    private let directory: TemporaryDirectory
    private let environment = ["LARDER_UPSTREAM": "localhost:8081"]

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("The default graph is a tree, node for node")
    func text() async throws {
        let result = try await LarderProcess.run(
            ["graph", "--config", "\(Repository.root)/config/larder.yaml"], environment: environment, in: directory)
        #expect(result.status == 0)
        #expect(result.error == "")
        #expect(
            String(decoding: result.output, as: UTF8.self) == """
                storefront (memory)
                └─ upstream: fallback
                   ├─ primary: reachability
                   │  ├─ monitor: upstream (tcp)
                   │  ├─ remote: remote (caching)
                   │  │  ├─ store: disk (json_file)
                   │  │  └─ upstream: validated
                   │  │     └─ upstream: analytics
                   │  │        ├─ sink: events (file)
                   │  │        └─ upstream: http
                   │  └─ local: local (analytics)
                   │     ├─ sink: events (file) (above)
                   │     └─ upstream: stored
                   │        └─ store: disk (json_file) (above)
                   └─ secondary: local (analytics) (above)

                """)
    }

    @Test(
        "Other notations are chosen by --format",
        arguments: [("mermaid", "flowchart TD\n"), ("dot", "digraph larder {\n")]
    )
    func formats(format: String, start: String) async throws {
        let result = try await LarderProcess.run(
            ["graph", "--format", format, "--config", "\(Repository.root)/config/larder.yaml"],
            environment: environment, in: directory)
        #expect(result.status == 0)
        #expect(String(decoding: result.output, as: UTF8.self).hasPrefix(start))
    }
}
