import GraphTools
import ServingTestSupport
import Testing

struct GraphRenderingTests {
    private static let yaml = """
        stores:
          disk: { type: json_file, directory: /var/lib/larder }
        monitors:
          upstream: { type: tcp, address: "shop.example:80" }
        providers:
          local: { type: stored, store: disk }
          remote:
            type: caching
            store: disk
            upstream:
              type: merge
              providers:
                - { type: http, request: { base_url: "http://a.example" }, pagination: { type: link } }
                - { type: http, request: { base_url: "http://b.example" } }
          storefront:
            type: memory
            upstream:
              type: fallback
              primary: { type: reachability, monitor: upstream, remote: remote, local: local }
              secondary: local
        serve: storefront
        """

    @Test func `as text it is a tree; what several refer to is drawn out once; defaults are left out`() throws {
        #expect(
            try render(.text) == """
                storefront (memory)
                └─ upstream: fallback
                   ├─ primary: reachability
                   │  ├─ monitor: upstream (tcp)
                   │  ├─ remote: remote (caching)
                   │  │  ├─ store: disk (json_file)
                   │  │  └─ upstream: merge
                   │  │     ├─ providers[0]: http
                   │  │     │  └─ pagination: link
                   │  │     └─ providers[1]: http
                   │  └─ local: local (stored)
                   │     └─ store: disk (json_file) (above)
                   └─ secondary: local (stored) (above)

                """)
    }

    @Test func `as Mermaid every component is a node once, and every reference an edge`() throws {
        #expect(
            try render(.mermaid) == """
                flowchart TD
                    n1["storefront<br>memory"]
                    n2["fallback"]
                    n3["reachability"]
                    n4{{"upstream<br>tcp"}}
                    n5["remote<br>caching"]
                    n6[("disk<br>json_file")]
                    n7["merge"]
                    n8["http"]
                    n9(["link"])
                    n10["http"]
                    n11["local<br>stored"]
                    n1 -->|"upstream"| n2
                    n2 -->|"primary"| n3
                    n2 -->|"secondary"| n11
                    n3 -->|"monitor"| n4
                    n3 -->|"remote"| n5
                    n3 -->|"local"| n11
                    n5 -->|"store"| n6
                    n5 -->|"upstream"| n7
                    n7 -->|"providers#91;0#93;"| n8
                    n7 -->|"providers#91;1#93;"| n10
                    n8 -->|"pagination"| n9
                    n11 -->|"store"| n6

                """)
    }

    @Test func `a role is text, whatever it looks like`() throws {
        let file = "{ type: file, path: x }"
        let yaml = "serve: { type: audience, header: X-Tier, cases: { 'a\"]; b\\': \(file) }, otherwise: \(file) }\n"
        let mermaid = try render(.mermaid, yaml)
        #expect(mermaid.contains("    n1 -->|\"cases.a#34;#93;#59; b#92;\"| n2\n"))
    }

    @Test(arguments: GraphFormat.allCases)
    func `a role from the environment is shown as it is written`(format: GraphFormat) throws {
        let file = "{ type: file, path: x }"
        let yaml = "serve: { type: audience, header: X-Key, cases: { \"${KEY}\": \(file) }, otherwise: \(file) }\n"
        let shown = try render(format, yaml, environment: ["KEY": "s3cret"])
        #expect(shown.contains("KEY") && !shown.contains("s3cret"))
    }

    @Test(arguments: GraphFormat.allCases)
    func `a graph of many ways to the same node stays small`(format: GraphFormat) throws {
        var yaml = "serve: n0\nproviders:\n"
        for level in 0..<60 {
            yaml += "  n\(level): { type: fallback, primary: n\(level + 1), secondary: n\(level + 1) }\n"
        }
        let shown = try render(format, yaml + "  n60: { type: file, path: x }\n")
        #expect(shown.split(separator: "\n").count < 200)
    }

    private func render(
        _ format: GraphFormat, _ yaml: String = yaml, environment: [String: String] = [:]
    ) throws -> String {
        format.render(try makeOutline(yaml, environment: environment))
    }
}
