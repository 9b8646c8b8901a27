import FoundationEssentials
@testable import HTTPServer
import Testing

@Suite struct PreconditionsTests {
    private static let before = "Fri, 15 Jan 2027 07:59:59 GMT"
    private static let then = "Fri, 15 Jan 2027 08:00:00 GMT"
    private static let after = "Fri, 15 Jan 2027 08:00:01 GMT"
    private let lastModified = LastModified(Date(timeIntervalSince1970: 1_800_000_000.9))

    private func outcome(_ headers: [(String, String)]) -> Preconditions.Outcome {
        Preconditions.outcome(
            of: HTTPRequest(target: "/", headers: headers), entityTag: "\"a\"", lastModified: lastModified,
            now: Date(timeIntervalSince1970: 1_800_000_100))
    }

    @Test func `a time of change is never stated in the future`() {
        #expect(lastModified.text(at: Date(timeIntervalSince1970: 1_800_000_100)) == Self.then)
        #expect(lastModified.text(at: Date(timeIntervalSince1970: 1_799_999_999)) == Self.before)
    }

    @Test(
        arguments: [
            ("If-None-Match", "\"a\"", .notModified), ("If-None-Match", "W/\"a\"", .notModified),
            ("If-None-Match", "*", .notModified), ("If-None-Match", "\"b\"", .met), ("If-None-Match", "", .met),
            ("If-Modified-Since", before, .met), ("If-Modified-Since", then, .notModified),
            ("If-Modified-Since", after, .notModified),
            ("If-Modified-Since", "Friday, 15-Jan-27 08:00:00 GMT", .notModified),
            ("If-Modified-Since", "Fri Jan 15 08:00:00 2027", .notModified), ("If-Modified-Since", "yesterday", .met),
            ("If-Modified-Since", "\(then), \(then)", .met),
            ("If-Match", "\"a\"", .met), ("If-Match", "*", .met), ("If-Match", "\"b\", \"a\"", .met),
            ("If-Match", "W/\"a\"", .failed), ("If-Match", "\"b\"", .failed), ("If-Match", "", .failed),
            ("If-Unmodified-Since", before, .failed), ("If-Unmodified-Since", then, .met),
            ("If-Unmodified-Since", after, .met), ("If-Unmodified-Since", "tomorrow", .met),
            ("If-Range", "\"a\"", .met), ("if-none-match", "\"a\"", .notModified),
        ] as [(String, String, Preconditions.Outcome)])
    func `each condition alone`(name: String, value: String, expected: Preconditions.Outcome) {
        #expect(outcome([(name, value)]) == expected)
    }

    @Test func `a request without conditions is answered`() {
        #expect(outcome([("Host", "a"), ("Accept", "*/*")]) == .met)
    }

    @Test(
        arguments: [
            ([("If-None-Match", "\"b\""), ("If-Modified-Since", after)], .met),
            ([("If-Modified-Since", before), ("If-None-Match", "\"a\"")], .notModified),
            ([("If-None-Match", "\"b\""), ("If-Modified-Since", "never")], .met),
            ([("If-Match", "\"a\""), ("If-Unmodified-Since", before)], .met),
            ([("If-Match", "\"b\""), ("If-None-Match", "\"a\"")], .failed),
            ([("If-Match", "\"a\""), ("If-None-Match", "\"a\"")], .notModified),
            ([("If-Unmodified-Since", before), ("If-None-Match", "\"a\"")], .failed),
            ([("If-Unmodified-Since", after), ("If-Modified-Since", then)], .notModified),
            ([("If-None-Match", "\"b\""), ("If-None-Match", "\"a\"")], .notModified),
        ] as [([(String, String)], Preconditions.Outcome)])
    func `tags count before dates, and If-Match before If-None-Match`(
        headers: [(String, String)], expected: Preconditions.Outcome
    ) {
        #expect(outcome(headers) == expected)
    }

    @Test func `the clock is read for dates alone`() {
        func asks(_ name: String, _ value: String) -> Bool {
            var isAsked = false
            _ = Preconditions.outcome(
                of: HTTPRequest(target: "/", headers: [(name, value)]), entityTag: "\"a\"", lastModified: lastModified,
                now: {
                    isAsked = true
                    return Date(timeIntervalSince1970: 1_800_000_100)
                }())
            return isAsked
        }
        #expect(!asks("If-None-Match", "\"a\"") && !asks("If-Match", "\"b\"") && !asks("Host", "a"))
        #expect(asks("If-Modified-Since", Self.then))
    }
}

@Suite struct EntityTagTests {
    @Test(arguments: [
        ("\"a\"", true), ("W/\"a\"", true), ("*", true), (" * ", true), ("\"b\", \"a\"", true),
        ("\"b\",\tW/\"a\" ", true), ("\"b\"", false), ("a", false), ("\"A\"", false), ("W/", false), ("", false),
        (", ,", false), ("*, \"b\"", false), ("\"b\",*", false), ("w/\"a\"", false), ("W/W/\"a\"", false),
        ("\"a", false), ("\"aa\"", false), ("\"a\"b", false), ("\"b\",,\"a\",", true), ("\"b\",\"c\", W/\"a\"", true),
    ])
    func `If-None-Match compares weakly`(header: String, isMatch: Bool) {
        #expect(EntityTag.matches(header, "\"a\"") == isMatch)
    }

    @Test(arguments: [
        ("\"a\"", true), ("W/\"a\"", false), ("*", true), ("\"b\", \"a\"", true), ("W/\"a\", \"a\"", true),
        ("\"b\"", false), ("\"b\", W/\"a\"", false), ("", false),
    ])
    func `If-Match compares strongly`(header: String, isMatch: Bool) {
        #expect(EntityTag.matches(header, "\"a\"", by: .strong) == isMatch)
    }

    @Test func `gzip has a strong tag of its own`() {
        #expect(EntityTag.gzipped("\"a\"") == "\"a-gzip\"")
    }

    @Test func `a strong tag is quoted, and equal for equal bodies only`() {
        let tag = EntityTag.strong(for: HTTPBody(text: "abc"))
        #expect(tag == "\"ba7816bf8f01cfea414140de5dae2223\"")
        #expect(tag == EntityTag.strong(for: HTTPBody(text: "xabcx").slice(1..<4)))
        #expect(tag != EntityTag.strong(for: HTTPBody(text: "abd")))
    }
}
