import Testing
import Text

struct ClosestNameTests {
    static let names = [
        "ttl", "stale_while_revalidate", "stale_if_error", "hold_off", "refresh", "upstream", "on", "id",
    ]

    @Test(
        "near names are found",
        arguments: [
            ("tll", "ttl"), ("tlt", "ttl"), ("TTL", "ttl"), ("holdoff", "hold_off"), ("hold-off", "hold_off"),
            ("upsteram", "upstream"), ("staleIfError", "stale_if_error"), ("stale_if_errors", "stale_if_error"),
            ("refesh", "refresh"),
        ])
    func nearNamesAreFound(_ name: String, _ expected: String) {
        #expect(ClosestName.to(name, among: Self.names) == expected)
    }

    @Test("far names are not", arguments: ["", "x", "colour", "timeout", "tank", "ab", "steam"])
    func farNamesAreNot(_ name: String) {
        #expect(ClosestName.to(name, among: Self.names) == nil)
    }

    @Test(
        "distance counts edits, and swaps of neighbours as one",
        arguments: [("", "", 0), ("", "abc", 3), ("abc", "acb", 1), ("kitten", "sitting", 3), ("ca", "abc", 3)])
    func distanceCountsEdits(_ left: String, _ right: String, _ expected: Int) {
        #expect(ClosestName.distance(Array(left), Array(right)) == expected)
        #expect(ClosestName.distance(Array(right), Array(left)) == expected)
    }
}
