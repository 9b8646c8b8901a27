import Configuration
import Service
import Testing

struct QuietLintsTests {
    private static let http = "{ type: http, request: { base_url: \"http://shop.example\" } }"
    private static let inline = "{ type: json_file, directory: /var/lib/larder }"
    private static let store = "store: \(inline)"
    private static let caching = "{ type: caching, \(store), upstream: \(http) }"
    private static let stored = "{ type: stored, \(store) }"
    private static let long = String(repeating: "x", count: 101)
    private static let file = "{ type: file, path: bundled.json }"

    @Test(arguments: [
        // Two retries side by side.
        "{ type: fallback, primary: { type: retry, upstream: \(http) }, secondary: { type: retry, upstream: \(http) } }",
        // Tries that just fit, and one that is no second try.
        "{ type: timeout, after: 4s, upstream: { type: retry, upstream: \(http) } }",
        "{ type: timeout, after: 1s, upstream: { type: retry, attempts: 1, upstream: \(http) } }",
        // A refresh is not bound by the deadline of the one who caused it.
        """
        { type: timeout, after: 1s, upstream:
          { type: memory, stale_if_error: 1h, upstream: { type: retry, upstream: \(http) } } }
        """,
        // The default limit for connecting says nothing about what the user meant.
        "{ type: http, timeout: 500ms, request: { base_url: \"http://shop.example\" } }",
        // Memories with something behind them, or that promise little.
        "{ type: memory, stale_if_error: 1h, upstream: \(http) }",
        "{ type: memory, upstream: { type: fallback, primary: \(http), secondary: \(file) } }",
        """
        { type: memory, upstream: { type: fallback, primary: \(http), secondary:
          { type: stored, store: { type: json_file, directory: /var/lib/larder } } } }
        """,
        """
        { type: fallback, primary: { type: memory, upstream: \(http) }, secondary:
          { type: stored, store: { type: json_file, directory: /var/lib/larder } } }
        """,
        "{ type: fallback, primary: \(file), secondary: { type: memory, upstream: \(http) } }",
        // Catalogues that are compared with the stored one, need not be, or are not those that are saved.
        "{ type: caching, \(store), upstream: { type: validated, baseline: \(inline), upstream: \(http) } }",
        "{ type: caching, \(store), upstream: { type: validated, max_shrink: 1, upstream: \(http) } }",
        """
        { type: caching, \(store), upstream:
          { type: merge, providers: [{ type: validated, upstream: \(http) }, \(file)] } }
        """,
        // A store that only another service can save into, and one that is saved into by a way with more on it.
        "{ type: validated, baseline: \(inline), upstream: \(http) }",
        """
        { type: caching, \(store), upstream: { type: memory, stale_if_error: 1h, upstream:
          { type: fallback, primary: { type: validated, baseline: \(inline), upstream: \(http) }, secondary: \(file) } } }
        """,
        // Entries that outlive a restart.
        "{ type: overlay, members: [stock], \(store), upstream: \(http), overlay: \(http) }",
        "{ type: overlay, members: [stock], upstream: \(http), overlay: \(file) }",
        """
        { type: overlay, members: [stock], upstream: \(http), overlay:
          { type: fallback, primary: \(caching), secondary: \(stored) } }
        """,
        // Stores that one arm uses, or that both get to by the same way.
        """
        { type: audience, header: X-Tier, otherwise: \(http), cases: { premium:
          { type: fallback, primary: \(caching), secondary: \(stored) } } }
        """,
        """
        { type: fallback, primary: \(caching), secondary:
          { type: audience, header: X-Tier, cases: { p: \(http) }, otherwise: \(stored) } }
        """,
        """
        { type: merge, providers: [
          { type: audience, header: X-Tier, cases: { p: \(caching) }, otherwise: \(http) },
          { type: audience, header: x-tier, cases: { p: \(stored), q: \(http) }, otherwise: \(http) } ] }
        """,
        // The arm that did not fail would have been shown as well.
        """
        { type: fallback, secondary: \(stored), primary:
          { type: ab_test, experiment: e, subject: X-User, a: \(caching), b: \(http) } }
        """,
        // Names and values at the limit, and some beyond it for sinks without one.
        """
        { type: analytics, sink: { type: log }, event: ga_products.hit, parameters: { _: "\(long)" }, upstream: \(http) }
        """,
        """
        { type: analytics, event: products_of_the_storefront_came_from_dis,
          sink: { type: google_analytics, measurement_id: G-1, api_secret: "${TOKEN}" },
          parameters: { a1_: "\(String(repeating: "x", count: 100))" }, upstream: \(http) }
        """,
        // Secrets from elsewhere.
        """
        { type: http, auth: { type: bearer, token: "${TOKEN}" }, request:
          { base_url: "https://shop.example", headers: { Authorization: "Bearer ${TOKEN}" } } }
        """,
        """
        { type: http, request:
          { base_url: "http://shop.example", headers: { Authorization: "Bearer ${UNSET:-}", Monkey: "1" },
            parameters: { key: "${TOKEN}", signal: "1" } } }
        """,
        // Secrets that do not leave the machine.
        "{ type: http, auth: { type: bearer, token: \"${TOKEN}\" }, request: { base_url: \"http://[::1]:8081\" } }",
        "{ type: http, auth: { type: bearer, token: \"${TOKEN}\" }, request: { base_url: \"http://Localhost/a@b\" } }",
    ])
    func `a graph at the limit of what is allowed has no warning`(graph: String) throws {
        #expect(try warnings("serve:\n  \(graph)\n") == [])
    }

    @Test func `a graph with 2^60 paths is checked in no time`() throws {
        var yaml = "serve: n0\nproviders:\n"
        for level in 0..<60 {
            let next = "n\(level + 1)"
            yaml += "  n\(level): { type: audience, header: X, cases: { a: \(next) }, otherwise: \(next) }\n"
        }
        #expect(try warnings(yaml + "  n60: \(Self.http)\n") == [])
    }

    private func warnings(_ yaml: String) throws -> [Diagnostic] {
        let document = try ConfigDocument.parse(yaml, file: "c.yaml", environment: ["TOKEN": "s3cret"])
        return try LoadedConfiguration.check(document).warnings
    }
}
