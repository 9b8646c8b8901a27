import FoundationEssentials
import Testing

@testable import Networking

/// The age of a response by RFC 9111, 4.2.3, and the words of the caches on the way by RFC 9211.
struct CacheFieldsTests {
    /// Sat, 31 Jan 2026 12:00:00 GMT, and a quarter of a second.
    private static let asked = Date(timeIntervalSince1970: 1_769_860_800.25)

    private func fields(_ headers: (String, String)..., longest: Int = 160) -> CacheFields {
        CacheFields(
            HTTPHeaders(headers.map { HTTPHeader($0.0, $0.1) }), requestedAt: Self.asked, longest: longest)
    }

    private func age(_ fields: CacheFields) -> Double { Self.asked.timeIntervalSince(fields.confirmedAt) }

    @Test(
        arguments: [
            ("0", 0), ("300", 300), ("0000000000000300", 300), ("300, 7", 300), ("300 , 7", 300),
            ("1769860800", 1_769_860_800), ("2147483648", 1_769_860_800.25),
            ("99999999999999999999999", 1_769_860_800.25),
            ("", 0), ("-5", 0), ("+5", 0), ("5.5", 0), ("5s", 0), ("0x10", 0), ("x, 300", 0), (",300", 0), ("٣", 0),
            ("3 0", 0),
        ])
    func `Age is read as RFC 9111 says, also where it is too large, repeated or malformed`(text: String, age: Double) {
        #expect(self.age(fields(("Age", text))) == age)
    }

    @Test func `of two fields with an age the first counts`() {
        #expect(age(fields(("age", "60"), ("Age", "7"))) == 60)
    }

    @Test(arguments: [
        // A direct answer: the clock of its source may have been cut to the second.
        ("Sat, 31 Jan 2026 12:00:00 GMT", "", 0), ("Sat, 31 Jan 2026 11:59:59 GMT", "", 0.25),
        ("Sat, 31 Jan 2026 11:00:00 GMT", "", 3599.25), ("Sat, 31 Jan 2026 11:00:00 GMT", "60", 3599.25),
        ("Sat, 31 Jan 2026 11:59:30 GMT", "60", 60), ("Sat, 31 Jan 2026 13:00:00 GMT", "60", 60),
        ("Wed, 28 Jan 2026 12:00:00 GMT", "", 259_199.25), ("Mon, 01 Jan 0001 00:00:00 GMT", "", 1_769_860_800.25),
        ("Fri, 31 Dec 9999 23:59:59 GMT", "", 0), ("Saturday, 31-Jan-26 11:00:00 GMT", "", 3599.25),
        ("yesterday", "", 0), ("0", "", 0),
        ("Sat, 31 Jan 2026 11:00:00 GMT, Sat, 31 Jan 2026 11:00:00 GMT", "", 0),
    ])
    func `Date counts where it says more than Age, to the second, and says nothing in the future`(
        text: String, age: String, expected: Double
    ) {
        #expect(self.age(fields(("Date", text), ("Age", age))) == expected)
    }

    @Test func `another Larder states its age in Cache-Status, to which the caches behind it add theirs`() {
        #expect(age(fields(("Cache-Status", "larder; hit; ttl=-20; age=50"))) == 50)
        #expect(age(fields(("Cache-Status", "larder; hit; ttl=-20; age=50, cdn; hit"), ("Age", "9"))) == 59)
        // The nearest counts from the first source.
        #expect(age(fields(("Cache-Status", "larder; hit; age=50, larder; hit; age=70"))) == 70)
        #expect(age(fields(("Cache-Status", "other; hit; age=50"))) == 0)
        #expect(age(fields(("Cache-Status", "larder; hit; age=many"))) == 0)
    }

    @Test(
        arguments: [
            ("Cache-Status", "larder; hit; ttl=25; age=5", "fresh"),
            ("Cache-Status", "larder; hit; ttl=0; age=30", "fresh"),
            // Within the window in which a Larder refreshes behind the answer.
            ("Cache-Status", "larder; hit; ttl=-20; age=50", "fresh if revalidating"),
            ("Cache-Status", "larder; hit; ttl=-100; age=130", "fresh if revalidating"),
            ("Cache-Status", "larder; hit; ttl=-100; age=130; detail=offline", "offline"),
            ("Cache-Status", "larder; fwd=stale; detail=stale-if-error, cdn; hit; ttl=30", "offline"),
            ("Cache-Status", "larder; fwd=stale; fwd-status=503", "offline"),
            ("Cache-Status", "\"My CDN\"; hit; ttl=-61; detail=\"x\"", "stale"),
            ("Cache-Status", "\"My CDN\"; hit; ttl=-60", "fresh if revalidating"),
            ("Cache-Status", "cdn; hit; ttl=-9223372036854775808", "stale"),
            ("Cache-Status", "larder; hit; ttl=5, larder-overlay; hit; ttl=-7", "fresh"),
            ("Cache-Status", "larder; hit; ttl=-5; detail=\"", "fresh"), ("Cache-Status", ";", "fresh"),
            ("Warning", "110 - \"Response is Stale\"", "stale"), ("Warning", "111 cdn \"x\"", "offline"),
            ("Warning", "199 - \"x\", 110 - \"y\"", "stale"), ("Warning", "1100 - \"x\"", "fresh"),
        ])
    func `an upstream that calls its answer stale is believed`(name: String, value: String, expected: String) {
        let alone = fields((name, value))
        let revalidating = fields((name, value), ("Cache-Control", "max-age=5, stale-while-revalidate=60"))
        func word(_ fields: CacheFields) -> String { fields.isOffline ? "offline" : fields.isStale ? "stale" : "fresh" }
        switch expected {
        case "fresh if revalidating": #expect([word(alone), word(revalidating)] == ["stale", "fresh"])
        default: #expect([word(alone), word(revalidating)] == [expected, expected])
        }
    }

    @Test(
        arguments: [
            ("max-age=60", "60", false), ("max-age=60", "61", true), ("max-age=60, s-maxage=3600", "61", false),
            ("S-MaxAge=\"60\", max-age=3600", "61", true), ("max-age=60,stale-while-revalidate=30", "90", false),
            ("max-age=60,stale-while-revalidate=30", "91", true), ("no-cache", "100", false),
            ("max-age=x", "100", false),
            ("max-age=99999999999999999999", "99999999999999999999", false),
            // As delivery networks send them whose own lifetime is set elsewhere.
            ("public, max-age=0, must-revalidate", "4000", false), ("s-maxage=0", "4000", false),
            ("max-age=60, no-cache", "4000", false), ("max-age=60 , No-Cache=\"Set-Cookie\"", "4000", false),
            ("s-maxage=60, max-age=0", "61", true), ("s-maxage=60, no-cache", "61", true),
        ])
    func `an answer beyond its own max-age is stale`(control: String, age: String, isStale: Bool) {
        #expect(fields(("Cache-Control", control), ("Age", age)).isStale == isStale)
    }

    @Test func `a cache that says for how long it keeps an answer is believed before max-age`() {
        func isStale(_ status: String) -> Bool {
            fields(("Age", "4000"), ("Cache-Control", "max-age=60"), ("Cache-Status", status)).isStale
        }
        #expect(!isStale("cdn; hit; ttl=100") && !isStale("origin; fwd=miss, cdn; hit; ttl=0"))
        #expect(isStale("cdn; hit; ttl=-1") && isStale("cdn; hit") && isStale("cdn; fwd=miss; ttl=9"))
        #expect(isStale("shield; hit; ttl=-900, cdn; hit; ttl=5") && isStale("cdn; hit; ttl=5, other; fwd=miss"))
        // `Age` is that of a cache behind it, which says nothing of itself.
        #expect(isStale("larder; hit; ttl=12; age=9"))
    }

    @Test func `no time of confirmation is before 1970`() {
        let oldest = fields(
            ("Age", "2147483648"), ("Date", "Mon, 01 Jan 0001 00:00:00 GMT"),
            ("Cache-Status", "larder; hit; age=2147483648"))
        #expect(oldest.confirmedAt == Date(timeIntervalSince1970: 0))
    }

    @Test func `a clock that is behind makes an answer older, but does not make its source stale`() {
        let skewed = fields(("Date", "Sat, 31 Jan 2026 11:00:00 GMT"), ("Cache-Control", "max-age=60"))
        #expect(age(skewed) == 3599.25)
        #expect(!skewed.isStale)
        #expect(skewed.dateOffset == 3599.25)
        for mark in ["Age", "Cache-Status", "Via", "Warning"] {
            #expect(fields(("Date", "Sat, 31 Jan 2026 11:00:00 GMT"), (mark, "1")).dateOffset == nil)
        }
        #expect(fields(("Date", "Sat, 31 Jan 2026 12:00:00 GMT")).dateOffset == nil)
        let larder = fields(
            ("Date", "Sat, 31 Jan 2026 11:00:00 GMT"), ("Cache-Status", "cdn; hit, larder; hit; age=50"))
        #expect(larder.dateOffset == 3599.25 && age(larder) == 3649.25)
    }

    @Test(
        arguments: [
            ("larder; hit; ttl=5; age=3", "larder; hit; ttl=5; age=3"),
            (
                "a;hit;ttl=5 ,\tb ; fwd=stale;key=\"/secret?token=1\";fwd-status=503",
                "a; hit; ttl=5, b; fwd=stale; fwd-status=503"
            ),
            ("\"My \\\"CDN\\\"\"; hit; detail=\"<b>\"", "\"My CDN\"; hit"), ("a; detail=\"ok\"", "a; detail=ok"),
            ("\"a\u{1B}[31mé\"; hit", "\"a[31m\"; hit"), ("a; hit; hit=?0", "a; hit"), ("a; ttl=\"\r\nX: y\"", "a"),
            ("a b", ""), ("a; hit,", ""), ("a; =1", ""), ("", ""), (String(repeating: "a,", count: 1100) + "a", ""),
        ])
    func `Cache-Status is cut to known parameters, and dropped where it is no list`(text: String, kept: String) {
        #expect(fields(("Cache-Status", text)).cacheStatus == kept)
    }

    @Test func `of many caches the nearest are kept`() {
        let text = (1...40).map { "cache-\($0); hit; ttl=\($0)" }.joined(separator: ", ")
        let kept = fields(("Cache-Status", text)).cacheStatus
        #expect(kept.utf8.count <= 160)
        #expect(kept.hasSuffix("cache-39; hit; ttl=39, cache-40; hit; ttl=40"))
        #expect(kept.hasPrefix("cache-"))
        #expect(fields(("Cache-Status", String(repeating: "n", count: 300))).cacheStatus.utf8.count <= 42)
    }

    @Test func `hostile headers never trap`() {
        var random = SystemRandomNumberGenerator()
        let pieces = [
            "larder", "; hit", "; ttl=", "-", "9223372036854775808", "\"", "\\", ",", ";", "=", " ", "age=",
            "\u{1F600}",
            "fwd-status=", "?1", ":YQ==:", "(", ")", "1.5", "\t", "\u{0}", "detail=offline", "110 ", "max-age=",
        ]
        for _ in 0..<3_000 {
            let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in pieces.randomElement(using: &random) ?? ""
            }
            .joined()
            let read = fields(
                ("Cache-Status", text), ("Age", text), ("Date", text), ("Warning", text), ("Cache-Control", text))
            #expect(read.confirmedAt <= Self.asked)
            #expect(
                read.cacheStatus.utf8.allSatisfy { (0x20...0x7E).contains($0) } && read.cacheStatus.utf8.count <= 160)
        }
    }
}
