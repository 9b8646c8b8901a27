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
            (", ,", false), ("*, \"b\"", false), ("\"b\",*", false), ("w/\"a\"", false), ("W/W/\"a\"", false),
            ("\"a", false), ("\"aa\"", false), ("\"b\",,\"a\",", true), ("\"b\",\"c\", W/\"a\"", true),
        ])
    func namesTag(header: String, isMatch: Bool) {
        #expect(EntityTag.matches(header, "\"a\"") == isMatch)
    }

    @Test(
        "If-Match names a tag by strong comparison",
        arguments: [
            ("\"a\"", true), ("W/\"a\"", false), ("*", true), ("\"b\", \"a\"", true), ("W/\"a\", \"a\"", true),
            ("\"b\"", false), ("\"b\", W/\"a\"", false), ("", false),
        ])
    func namesTagStrongly(header: String, isMatch: Bool) {
        #expect(EntityTag.matches(header, "\"a\"", by: .strong) == isMatch)
    }

    @Test("The tag of what is in gzip is another strong tag")
    func gzipped() {
        #expect(EntityTag.gzipped("\"a\"") == "\"a-gzip\"")
    }

    @Test("A strong tag is quoted, and equal for equal bodies only")
    func strongTagFollowsContent() {
        let tag = EntityTag.strong(for: HTTPBody(text: "abc"))
        #expect(tag == "\"ba7816bf8f01cfea414140de5dae2223\"")
        #expect(tag == EntityTag.strong(for: HTTPBody(text: "xabcx").slice(1..<4)))
        #expect(tag != EntityTag.strong(for: HTTPBody(text: "abd")))
    }
}
