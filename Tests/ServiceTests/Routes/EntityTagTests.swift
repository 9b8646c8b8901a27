import HTTPServer
import Testing

@testable import Service

@Suite("Entity tags")
struct EntityTagTests {
    @Test(
        "If-None-Match names a tag by weak comparison",
        arguments: [
            ("\"a\"", true), ("W/\"a\"", true), ("*", true), (" * ", true), ("\"b\", \"a\"", true),
            ("\"b\",\tW/\"a\" ", true), ("\"b\"", false), ("a", false), ("\"A\"", false), ("W/", false), ("", false),
            (", ,", false),
        ])
    func namesTag(header: String, isMatch: Bool) {
        #expect(EntityTag.matches(header, "\"a\"") == isMatch)
    }

    @Test("A strong tag is quoted, and equal for equal bodies only")
    func strongTagFollowsContent() {
        let tag = EntityTag.strong(for: HTTPBody(text: "abc"))
        #expect(tag == "\"ba7816bf8f01cfea414140de5dae2223\"")
        #expect(tag == EntityTag.strong(for: HTTPBody(text: "xabcx").slice(1..<4)))
        #expect(tag != EntityTag.strong(for: HTTPBody(text: "abd")))
    }
}
