internal import TestSupport
internal import Testing

@testable internal import Configuration
@testable internal import Wiring

struct ShopGraphTests {
    private static let sections = [FieldSpec.required("serve", .component(ProviderFamily.self), "what is served")]
    private static let environment = [
        "HOST": "shop.example:81", "BARE": "shop.example", "ALL": "http://a.example/p", "KEY": "k",
    ]

    private func expanded(_ yaml: String) throws -> ConfigDocument {
        ShopGraph.expanded(try ConfigDocument.parse(yaml, file: "f", environment: Self.environment))
    }

    private func outline(_ yaml: String) throws -> ComponentOutline {
        let check = ConfigurationCheck(
            document: try expanded(yaml), registry: .everyFamily, sections: Self.sections)
        let outline = check.root.component("serve", ProviderFamily.self).outline
        #expect(try check.finish() == [], "\(yaml)")
        return outline
    }

    /// A graph with a monitor and a gate of some keys, events, and more keys of memory.
    private static func graph(
        monitor: String = "upstream: { type: tcp, address: \"shop.example:443\" }",
        primary: String = "{ type: reachability, monitor: upstream, remote: remote, local: local }",
        gate: String = "type: validated, baseline: disk, upstream: ",
        http: String = "{ type: http, request: { base_url: \"https://shop.example\", path: \"/p\" } }",
        memory: String = "", store: String = "", data: String = "/var/lib/larder"
    ) -> String {
        """
        stores: { disk: { type: json_file, directory: \(data)\(store) } }
        analytics: { events: { type: file, path: \(data)/events.jsonl } }
        monitors: { \(monitor) }
        providers:
          local: { type: analytics, sink: events, event: products_cache_hit, upstream: { type: stored, store: disk } }
          remote:
            type: caching
            store: disk
            upstream:
              { \(gate){ type: analytics, sink: events, event: products_network_hit, upstream: \(http) } }
          storefront:
            { type: memory\(memory), upstream: { type: fallback, primary: \(primary), secondary: local } }
        serve: storefront

        """
    }

    @Test(arguments: [
        ("", graph()), (", gate: usual, monitor: tcp, events: file", graph()), (", data: there", graph(data: "there")),
        (", ttl: 1m, refresh: background", graph(memory: ", ttl: 1m, refresh: background")),
        (", keep: 5, keep_for: { all: 1h }", graph(store: ", keep: 5, keep_for: { all: 1h }")),
        (", gate: strict", graph(gate: "type: validated, profile: strict, baseline: disk, upstream: ")),
        (
            ", gate: { profile: strict, minimum: 5 }",
            graph(gate: "type: validated, profile: strict, minimum: 5, baseline: disk, upstream: ")
        ),
        (
            ", monitor: { interval: 2s, rise: 1 }",
            graph(monitor: "upstream: { type: tcp, interval: 2s, rise: 1, address: \"shop.example:443\" }")
        ),
        (
            ", monitor: http",
            graph(monitor: "upstream: { type: http, url: \"https://shop.example\", expect: 100-499 }")
        ),
        (
            ", proxy: \"http://proxy.example:3128\", tls: { server_name: shop.internal }, resolve: ipv4",
            graph(
                monitor: """
                    upstream: { type: http, url: "https://shop.example", expect: 100-499, tls: { server_name: shop.internal }, \
                    proxy: "http://proxy.example:3128", resolve: ipv4 }
                    """,
                http: """
                    { type: http, request: { base_url: "https://shop.example", path: "/p" }, \
                    proxy: "http://proxy.example:3128", tls: { server_name: shop.internal }, resolve: ipv4 }
                    """)
        ),
        (
            ", resolve: ipv6",
            graph(
                monitor: "upstream: { type: tcp, address: \"shop.example:443\", resolve: ipv6 }",
                http: "{ type: http, request: { base_url: \"https://shop.example\", path: \"/p\" }, resolve: ipv6 }")
        ),
        (", monitor: { type: always }", graph(monitor: "upstream: { type: always }")),
        (", monitor: none", graph(monitor: "", primary: "remote")),
        (
            ", timeout: 9s, headers: { A: b }, auth: { type: bearer, token: \"${KEY}\" }, pagination: { type: link }",
            graph(
                http: """
                    { type: http, request: { base_url: "https://shop.example", path: "/p", headers: { A: b } }, \
                    timeout: 9s, auth: { type: bearer, token: "${KEY}" }, pagination: { type: link } }
                    """)
        ),
    ])
    func `the short form is the same graph as the long one`(keys: String, long: String) throws {
        let yaml = "serve: { type: shop, url: \"https://shop.example/p\"\(keys) }\n"
        let (short, whole, printed) = (try outline(yaml), try outline(long), try expanded(yaml).yaml)
        #expect(short.isSame(as: whole), "\(printed)")
        #expect(short.contentFingerprint == whole.contentFingerprint)
        #expect(!short.isSame(as: try outline("serve: { type: shop, url: \"https://other.example/p\"\(keys) }\n")))
    }

    @Test func `without events and gate nothing counts and nothing is refused`() throws {
        let types = try outline(
            "serve: { type: shop, url: \"http://a.example\", events: none, gate: off, monitor: none }\n"
        )
        .all.map(\.type)
        #expect(types == ["memory", "fallback", "caching", "json_file", "http", "single", "stored"])
    }

    @Test(arguments: ["\"redis://larder@r.example\"", "{ url: \"redis://larder@r.example\" }"])
    func `a fleet is a second store behind the gate, with no monitor above it and a refresh in the background`(
        fleet: String
    ) throws {
        let short = try outline("serve: { type: shop, url: \"http://a.example/p\", fleet: \(fleet) }\n")
        let long = """
            stores:
              disk: { type: json_file, directory: /var/lib/larder }
              shared: { type: redis, url: "redis://larder@r.example", name: catalogue, refill_from: disk }
            analytics: { events: { type: file, path: /var/lib/larder/events.jsonl } }
            providers:
              local: { type: analytics, sink: events, event: products_cache_hit, upstream: { type: stored, store: disk } }
              remote:
                type: caching
                store: disk
                upstream:
                  type: caching
                  store: shared
                  upstream:
                    type: validated
                    baseline: disk
                    upstream:
                      type: analytics
                      sink: events
                      event: products_network_hit
                      upstream: { type: http, request: { base_url: "http://a.example", path: "/p" } }
              storefront:
                type: memory
                refresh: background
                upstream: { type: fallback, primary: remote, secondary: local }
            serve: storefront

            """
        #expect(short.isSame(as: try outline(long)))
    }

    @Test(
        arguments: [
            ("https://shop.example/a/b", "https://shop.example", "/a/b", "shop.example:443", nil),
            ("http://shop.example", "http://shop.example", nil, "shop.example:80", nil),
            ("HTTPS://shop.example:8443/", "HTTPS://shop.example:8443", "/", "shop.example:8443", nil),
            ("http://[::1]/p", "http://[::1]", "/p", "[::1]:80", nil),
            ("http://${HOST}/p", "http://${HOST}", "/p", "${HOST}", nil),
            ("https://${BARE}/p", "https://${BARE}", "/p", "${BARE}:443", nil),
            ("${SCHEME:-http}://${HOST}/p", "${SCHEME:-http}://${HOST}", "/p", "${HOST}", nil),
            ("${ALL}", "${ALL}", "", "a.example:80", nil),
            (
                "https://shop.example/${KEY}/p?a=${KEY}&b=c%20d+e&f&g=", "https://shop.example", "/${KEY}/p",
                "shop.example:443",
                "a=${KEY} b=c d e f= g="
            ),
            ("${ALL}?a=b", "${ALL}", "", "a.example:80", "a=b"),
        ] as [(String, String, String?, String, String?)])
    func `a URL is divided where variables let it, and each part is written as it was`(
        url: String, base: String, path: String?, address: String, query: String?
    ) throws {
        let root = try expanded("serve: { type: shop, url: \"\(url)\", events: none, gate: off }\n").root
        let request = root["providers"]?["remote"]?["upstream"]?["request"]
        func written(_ node: ConfigNode?) -> String? { node.flatMap { $0.template ?? $0.text } }
        #expect(written(request?["base_url"]) == base)
        #expect(written(request?["path"]) == path)
        #expect(written(root["monitors"]?["upstream"]?["address"]) == address)
        let parameters = request?["parameters"]?.entries?.map { "\($0.key)=\(written($0.value) ?? "none")" }
        #expect(parameters?.joined(separator: " ") == query)
    }

    @Test func `every key that a component lends stands in it, as the user wrote it and where`() throws {
        for (component, fields) in ShopGraph.parts {
            for field in fields {
                let root = try expanded(
                    "serve: { type: shop, url: \"http://a.example/p\", gate: off, events: none, \(field.name): marked }\n"
                ).root
                let (remote, storefront) = (root["providers"]?["remote"], root["providers"]?["storefront"])
                let http = remote?["upstream"]
                let place =
                    switch component {
                    case "memory": storefront
                    case "http": http
                    case "request of http": http?["request"]
                    default: root["stores"]?["disk"]
                    }
                #expect(place?[field.name]?.text == "marked", "\(component).\(field.name)")
                #expect(place?[field.name]?.position.line == 1 && place?[field.name]?.position.column ?? 0 > 60)
            }
        }
        #expect(Set(ShopGraph.fields.map(\.name)).count == ShopGraph.fields.count)
    }

    @Test func `the page shows the graph that a shop stands for, and where each of its keys goes`() throws {
        let page = try Repository.text("Sources/larder/Larder.docc/Configuration.md")
        let section = try #require(page.split(separator: "\n## ").first { $0.hasPrefix("One line for a shop\n") })
        let blocks = section.matches(of: /```yaml\n([^`]+)```/).map { String($0.output.1) }
        #expect(blocks.count == 2)
        #expect(try outline(blocks[0]).isSame(as: try outline(blocks[1])))
        let rows = section.matches(of: /\n\| (`[^|]+`) \| ([^|\n]+(?:\|[^|\n]+)*) \|(?=\n)/).map(\.output)
        let keys = rows.map { row in row.1.matches(of: /`(\w+)`/).map { String($0.output.1) } }
        #expect(keys.flatMap(\.self).sorted() == ShopGraph.fields.map(\.name).sorted())
        for (component, fields) in ShopGraph.parts {
            let row = zip(rows, keys).first { $0.1 == fields.map(\.name) || Set($0.1) == Set(fields.map(\.name)) }
            let words = component.split(separator: " of ").map { "`\($0)`" }.joined(separator: " of ")
            #expect(row?.0.2.hasSuffix(words) == true, "\(component)")
        }
    }

    @Test func `a config without a shop is left as it is`() throws {
        let yaml = "providers: { a: { type: file, path: p } }\nserve: a\n"
        let document = try ConfigDocument.parse(yaml, file: "f", environment: [:])
        #expect(ShopGraph.expansion(of: document) == nil)
        #expect(ShopGraph.expanded(document).root.hasSameContent(as: document.root))
    }

    @Test func `components of the user's own stand beside those of the shop, which may use them`() throws {
        let yaml = """
            auths: { key: { type: bearer, token: "${KEY}" } }
            stores: { past: { type: json_file, directory: past } }
            providers:
            serve: { type: shop, url: "http://localhost/p", auth: key, gate: { baseline: past, max_shrink: 1 } }

            """
        let root = try outline(yaml)
        #expect(
            Set(root.all.compactMap(\.label)) == [
                "storefront", "remote", "local", "disk", "events", "upstream", "key", "past",
            ])
    }
}
