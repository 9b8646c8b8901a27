import TestSupport
import Testing

@testable import larder

@Suite("larder graph")
struct GraphTests {
    private static let config = "\(Repository.root)/config/larder.yaml"
    private var fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
        fixture.variables = ["LARDER_UPSTREAM": "localhost:8081"]
    }

    @Test("The default graph is a tree, node for node")
    func text() async throws {
        let tree = try await fixture.run("graph", Self.config)
        #expect(
            tree == """
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
        #expect(fixture.notes.value == [])
    }

    @Test("Other notations are chosen by --format", arguments: [("mermaid", "flowchart TD\n"), ("dot", "digraph ")])
    func formats(format: String, start: String) async throws {
        #expect(try await fixture.run("graph --format \(format)", Self.config).hasPrefix(start))
    }
}
