@testable import HTTPServer
import FoundationEssentials
import TestSupport
import Testing
import Text

@Suite struct HTTPDateTests {
    @Test(arguments: [
        (784_111_777.0, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_735_689_599.999, "Tue, 31 Dec 2024 23:59:59 GMT"),
        (4_102_444_800, "Fri, 01 Jan 2100 00:00:00 GMT"),
    ])
    func `a date is an IMF-fixdate in whole seconds`(seconds: Double, text: String) {
        #expect(HTTPDate.text(Date(timeIntervalSince1970: seconds)) == text)
    }
}

@Suite struct HTTPDateParsingTests {
    /// In 2027.
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu Jan  1 00:00:00 1970", 0),
        ("Wed Nov 16 08:49:37 1994", 784_975_777), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400), ("Fri, 01 Jan 2100 00:00:00 GMT", 4_102_444_800),
        ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800), ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800),
        ("Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ])
    func `all three forms of a date are read`(text: String, seconds: Int) {
        #expect(HTTPDate.seconds(of: text, now: now) == seconds)
    }

    @Test(arguments: [("27", 2027), ("28", 2028), ("77", 2077), ("78", 1978), ("99", 1999), ("00", 2000), ("26", 2026)])
    func `a year of two digits is at most 50 years ahead`(short: String, year: Int) throws {
        let seconds = try #require(HTTPDate.seconds(of: "Friday, 01-Jan-\(short) 00:00:00 GMT", now: now))
        #expect(HTTPDate.text(Date(timeIntervalSince1970: Double(seconds))).contains(" Jan \(year) "))
    }

    @Test(arguments: [
        "", "0", "1800000000", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 GMT ", " Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
        "sun, 06 nov 1994 08:49:37 gmt", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
        "Sun, 29 Feb 1994 08:49:37 GMT", "Thu, 29 Feb 2100 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06 Nov 1994 8:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
        "Sun Nov  6 08:49:37 1994 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT, x",
        "1994-11-06T08:49:37Z", "Sun, +6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 \u{47}\u{4d}\u{54}\u{301}",
    ])
    func `anything else is no date`(text: String) {
        #expect(HTTPDate.seconds(of: text, now: now) == nil)
    }

    @Test func `a written date is read back`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            let seconds = Int.random(in: -12_000_000_000...250_000_000_000, using: &generator)
            let moment = Date(timeIntervalSince1970: Double(seconds) + 0.75)
            let date = LastModified(moment)
            #expect(date.seconds == seconds)
            #expect(HTTPDate.seconds(of: date.text(at: moment), now: now) == seconds)
        }
    }
}
