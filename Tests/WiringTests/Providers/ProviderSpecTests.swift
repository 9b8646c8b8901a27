internal import Configuration
internal import Testing

@testable internal import Wiring

struct ProviderSpecTests {
    private static let file = "{ type: file, path: /none/x }"

    @Test func `every type that has been asked for is registered`() {
        let types = [
            "http", "stored", "file", "reachability", "fallback", "ab_test", "audience", "merge", "overlay", "memory",
            "caching", "analytics", "validated", "retry", "timeout", "circuit_breaker", "concurrency_limit", "fault",
        ]
        #expect(Set(ProviderFamily.specs.map(\.type)) == Set(types))
    }

    @Test(arguments: [
        (
            "{ type: fallback, primary: \(file), secondary: \(file), on: [slow] }",
            "f:2:111: error: \"on\": expected unreachable, timeout, status, malformed, refused or unavailable, "
                + "found \"slow\""
        ),
        (
            "{ type: overlay, upstream: \(file), overlay: \(file), members: [price], key: a.b }",
            "f:2:127: error: \"key\": \"a.b\" is within a member; name one of the product itself"
        ),
        (
            "{ type: overlay, upstream: \(file), overlay: \(file), members: [price], key: sku, entry_key: price }",
            "f:2:143: error: \"entry_key\": \"price\" does not identify products"
        ),
        (
            "{ type: merge, providers: [\(file)], key: type }",
            "f:2:70: error: \"key\": \"type\" does not identify products"
        ),
        ("{ type: timeout, upstream: \(file) }", "f:2:6: error: missing \"after\" in \"timeout\""),
        (
            "{ type: timeout, after: 0s, upstream: \(file) }",
            "f:2:30: error: \"after\": \"0s\" is out of range; it must be at least 1ms"
        ),
        (
            "{ type: circuit_breaker, open_for: 0, upstream: \(file) }",
            "f:2:41: error: \"open_for\": \"0\" is out of range; it must be at least 1ms"
        ),
        (
            "{ type: audience, header: X-Tier, cases: { \" a\": \(file) }, otherwise: \(file) }",
            "f:2:47: error: \"cases\": no header has the value \" a\", with blanks around it"
        ),
        (
            "{ type: audience, header: X-Tier, cases: { a: \(file) } }",
            "f:2:6: error: missing \"otherwise\" in \"audience\""
        ),
        (
            "{ type: ab_test, experiment: e, a: \(file), b: \(file) }",
            "f:2:6: error: missing \"subject\" or \"arm\" in \"ab_test\""
        ),
        (
            "{ type: ab_test, experiment: e, arm: X-Arm, share_a: 0.9, a: \(file), b: \(file) }",
            "f:2:59: error: \"share_a\" is of a split by subject, and the header of \"arm\" decides here"
        ),
        (
            "{ type: caching, store: { type: json_file, directory: /none }, upstream: { type: memory, upstream: "
                + "{ type: audience, header: X-Tier, cases: { a: \(file) }, otherwise: \(file) } } }",
            "f:2:79: error: answers from here vary by the header \"x-tier\", and one store cannot keep them "
                + "apart; put \"caching\" below what decides by it"
        ),
        (
            "{ type: validated, baseline: { type: json_file, directory: /none }, upstream: "
                + "{ type: audience, header: X-Tier, cases: { a: \(file) }, otherwise: \(file) } }",
            "f:2:35: error: answers from here vary by the header \"x-tier\", and one store is no baseline for all; put "
                + "\"validated\" below what decides by it"
        ),
        (
            "{ type: validated, minimum_price: 0, upstream: \(file) }",
            "f:2:40: error: \"minimum_price\": expected a number above 0 with at most six digits behind the point, like 0.01, "
                + "found \"0\""
        ),
        (
            "{ type: validated, max_price_change: { factor: 1, share: 0.3 }, upstream: \(file) }",
            "f:2:53: error: \"factor\": \"1\" is no number above 1 of at most nine digits; write it like 3 or 1.5"
        ),
        (
            "{ type: validated, warn_max_price_change: { factor: x, share: 0.3 }, upstream: \(file) }",
            "f:2:58: error: \"factor\": \"x\" is no number above 1 of at most nine digits; write it like 3 or 1.5"
        ),
        (
            "{ type: validated, max_price_change: { factor: 3 }, upstream: \(file) }",
            "f:2:43: error: missing \"share\" in \"validated.max_price_change\""
        ),
        (
            "{ type: validated, max_changed: 30, upstream: \(file) }",
            "f:2:38: error: \"max_changed\": bad ratio \"30\"; write a number from 0 to 1"
        ),
        (
            "{ type: validated, max_changed: 0.3, each: kind, upstream: \(file) }",
            "f:2:49: error: \"each\": expected type or category, found \"kind\""
        ),
        (
            "{ type: validated, warn_max_changed: 0.3, hold: 10ms, upstream: \(file) }",
            "f:2:54: error: \"hold\": \"10ms\" is out of range; it must be at least 1s"
        ),
        (
            "{ type: validated, warn_max_changed: 0.3, max_changed: 0.2, upstream: \(file) }",
            "f:2:43: warning: \"warn_max_changed\" is not below \"max_changed\", so that it never holds a catalogue"
        ),
        (
            "{ type: validated, max_changed: 0.3, hold: 10m, upstream: \(file) }",
            "f:2:49: warning: \"hold\" has no effect without a bound that begins with \"warn_\""
        ),
        (
            "{ type: validated, required_share: 0.9, upstream: \(file) }",
            "f:2:41: warning: \"required_share\" has no effect without \"required\""
        ),
        (
            "{ type: validated, each: type, upstream: \(file) }",
            "f:2:31: warning: \"each\" has no effect without a bound"
        ),
        (
            "{ type: http, request: { base_url: \"http://h\" }, "
                + "pagination: { type: since, parameter: s, field: id, full_every: 1h } }",
            "f:2:67: error: by the id no change of an item would be noticed between readings of everything; name a "
                + "\"field\" that changes with the item, such as updated_at, or remove \"full_every\""
        ),
        ("{ type: merge }", "f:2:6: error: missing \"providers\" in \"merge\""),
        ("{ type: merge, providers: [] }", "f:2:32: error: \"providers\": expected one provider at least"),
        (
            "{ type: merge, providers: [{ type: file, path: x }], duplicates: none }",
            "f:2:71: error: \"duplicates\": expected first, last or reject, found \"none\""
        ),
        (
            "{ type: overlay, upstream: \(file), overlay: \(file) }",
            "f:2:6: error: missing \"members\" in \"overlay\""
        ),
        (
            "{ type: overlay, members: [], upstream: \(file), overlay: \(file) }",
            "f:2:32: error: \"members\": expected one member at least"
        ),
        (
            "{ type: overlay, members: [id], upstream: \(file), overlay: \(file) }",
            "f:2:32: error: \"members\": \"id\" cannot come from another source"
        ),
        (
            "{ type: overlay, members: [price.amount], upstream: \(file), overlay: \(file) }",
            "f:2:32: error: \"members\": \"price.amount\" is within a member; name the whole member"
        ),
        (
            "{ type: overlay, members: [price], when_stale: drop, upstream: \(file), overlay: \(file) }",
            "f:2:53: error: \"when_stale\": expected serve, mark or hide, found \"drop\""
        ),
        (
            "{ type: overlay, members: [price], ttl: 0s, upstream: \(file), overlay: \(file) }",
            "f:2:46: error: \"ttl\": \"0s\" is out of range; it must be at least 1ms"
        ),
        (
            "{ type: overlay, members: [price], store: { type: redis, url: \"redis://r.example/0\", name: n }, "
                + "upstream: \(file), overlay: \(file) }",
            "f:2:48: error: entries are kept on this machine's disk; name a store of \"json_file\""
        ),
        (
            "{ type: overlay, members: [price], store: { type: json_file, directory: d }, upstream: \(file), "
                + "overlay: { type: audience, header: X-Tier, cases: { gold: \(file) }, otherwise: \(file) } }",
            "f:2:48: error: entries vary by the header \"x-tier\", and one store cannot keep them apart; remove "
                + "\"store\""
        ),
    ])
    func `what is wrong is said where it is`(yaml: String, problem: String) {
        #expect(problems("providers:\n  p: \(yaml)\n").filter { !$0.hasSuffix("is never used") } == [problem])
    }

    @Test func `labelled paginations and auths can be shared`() {
        let yaml = """
            paginations: { pages: { type: page, size: 9 } }
            auths: { shop: { type: bearer, token: x } }
            providers:
              a: { type: http, request: { base_url: "http://h" }, pagination: pages, auth: shop }
              b: { type: http, request: { base_url: "http://h" }, pagination: shop, auth: pages }
            """
        #expect(
            problems(yaml).filter { !$0.hasSuffix("is never used") } == [
                "f:5:67: error: \"shop\" is an auth, expected a pagination",
                "f:5:79: error: \"pages\" is a pagination, expected an auth",
            ])
    }
}
