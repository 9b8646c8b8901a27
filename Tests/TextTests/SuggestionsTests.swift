import Testing
import Text

struct ClosestNameTests {
    static let names = [
        "ttl", "stale_while_revalidate", "stale_if_error", "hold_off", "refresh", "upstream", "on", "id",
    ]

    @Test(arguments: [
        ("tll", "ttl"), ("tlt", "ttl"), ("TTL", "ttl"), ("holdoff", "hold_off"), ("hold-off", "hold_off"),
        ("upsteram", "upstream"), ("staleIfError", "stale_if_error"), ("stale_if_errors", "stale_if_error"),
        ("refesh", "refresh"), ("hold", "hold_off"), ("hold-", "hold_off"),
    ])
    func `near names are found`(_ name: String, _ expected: String) {
        #expect(ClosestName.to(name, among: Self.names) == expected)
    }

    @Test(arguments: ["", "x", "colour", "timeout", "tank", "ab", "steam", "stale", "up"])
    func `far names are not`(_ name: String) {
        #expect(ClosestName.to(name, among: Self.names) == nil)
    }

    @Test(arguments: [("", "", 0), ("", "abc", 3), ("abc", "acb", 1), ("kitten", "sitting", 3), ("ca", "abc", 3)])
    func `distance counts edits, and swaps of neighbours as one`(_ left: String, _ right: String, _ expected: Int) {
        #expect(ClosestName.distance(Array(left), Array(right)) == expected)
        #expect(ClosestName.distance(Array(right), Array(left)) == expected)
    }
}
