@testable import HTTPServer
import Testing

@Suite struct AcceptedCodingsTests {
    private func choice(_ header: String?) -> AcceptedCodings.Choice { AcceptedCodings(header).choice }

    @Test func `nothing is coded without the header`() {
        #expect(choice(nil) == .identity)
    }

    @Test(arguments: [
        "gzip", "GZip", "x-gzip", "X-GZIP;q=0.1", "gzip, deflate, br, zstd", "deflate,gzip;q=1.0, *;q=0.5", "*",
        "*;q=0.001", "br;q=1, gzip;q=0.2", "gzip;q=0.5, identity;q=0.5", "gzip \t;\tq=0.8", " gzip ", ",,gzip,",
        "gzip;Q=1", "gzip;q=1.", "gzip;q=0.123", "identity;q=0.5, gzip", "gzip;q=0, gzip;q=1", "gzip;q=0, x-gzip",
    ])
    func `gzip is chosen where it is liked no less than identity`(header: String) {
        #expect(choice(header) == .gzip(orIdentity: true))
    }

    @Test(arguments: [
        "", " ", ",", "identity", "br", "deflate, br", "gzip;q=0", "gzip;q=0.000", "x-gzip;q=0", "gzip;q=0, *",
        "gzip;q=0.5, identity", "gzip;q=0.5, *", "gzip;q=0.4, identity;q=0.5", "*;q=0, identity;q=0.1",
        "gzip;q=0, identity;q=0.001", "gzipped", "gzi", "gzip-x", "compress;q=1",
    ])
    func `identity is chosen where gzip is refused or liked less`(header: String) {
        #expect(choice(header) == .identity)
    }

    @Test(arguments: [
        "gzip, identity;q=0", "identity;q=0, *", "*;q=0, gzip;q=0.1", "gzip;q=0.1, *;q=0",
        "IDENTITY; q=0.0, x-gzip",
    ])
    func `identity can be excluded by name or by *`(header: String) {
        #expect(choice(header) == .gzip(orIdentity: false))
    }

    @Test(arguments: [
        "*;q=0", "identity;q=0", "identity;q=0, gzip;q=0", "identity;q=0, br", "gzip;q=0, *;q=0", "*;q=0.0, br",
    ])
    func `nothing is acceptable where both are excluded`(header: String) {
        #expect(choice(header) == .nothing)
    }

    @Test(arguments: [
        "gzip;q=2", "gzip;q=1.1", "gzip;q=1.001", "gzip;q=0.1234", "gzip;q=-1", "gzip;q=", "gzip;q", "gzip;",
        "gzip;q=a", "gzip;q=.5", "gzip;x=1", "gzip;q=1;x=1", "gzip;q =1", "gzip;q= 1", "gzip;q=0,5", "gzip;q=0x1",
        "gzip;q=10", ";q=1", "*;q=2, br",
    ])
    func `an element with a malformed weight is ignored`(header: String) {
        #expect(choice(header) == .identity)
    }

    @Test(arguments: ["identity;q=0.0000, gzip", "*;q=00, gzip"])
    func `a malformed exclusion excludes nothing`(header: String) {
        #expect(choice(header) == .gzip(orIdentity: true))
    }
}

@Suite struct AcceptedTypesTests {
    private func weight(_ header: String?, of ranges: [String]) -> Int {
        AcceptedTypes(header).weight(of: ranges)
    }

    @Test(arguments: [
        ("text/html", 1000), ("TEXT/HTML;q=0.5", 500), ("text/html ; Q=\"0.25\"", 250),
        ("a/b, text/html;level=1;q=0.3", 300),
        ("text/html;q=0", 0), ("text/html;q=2", 0), ("text/html;q=", 0), ("text/htm", 0), ("text/html/x", 0), ("", 0),
        ("text/*", 0), ("text/html;", 1000), (";q=1,text/html;q=0.1", 100), ("text/html;q=0.1, text/html;q=0.9", 100),
    ])
    func `a range is found by name, whatever stands beside it`(header: String, expected: Int) {
        #expect(weight(header, of: ["text/html"]) == expected)
    }

    @Test func `the most exact range counts, wherever it stands`() {
        let ranges = ["text/plain", "text/*", "*/*"]
        #expect(weight("*/*, text/*;q=0.5, text/plain;q=0.2", of: ranges) == 200)
        #expect(weight("text/plain;q=0.2, */*;q=0.9", of: ranges) == 200)
        #expect(weight(nil, of: ranges) == 0)
    }

    @Test(arguments: ["a/b;q=0.1,", "*/*;q=0.1,", "\u{0301}/\u{0301};q=1,", ";;;;;;;;;;", "text/plain;q=0.1;q=0.1,"])
    func `no more than the first 512 bytes are read, and no element that goes on behind it`(part: String) {
        let header = String(repeating: part, count: 16_000 / part.utf8.count)
        let start = String(repeating: part, count: 448 / part.utf8.count)
        #expect(weight(start + ",text/html;q=0.7," + header, of: ["text/html"]) == 700)
        #expect(weight(header + ",text/html;q=0.7", of: ["text/html"]) == 0)
        #expect(weight(header, of: ["text/html"]) == 0)
        let spaces = String(repeating: " ", count: 512 - 9)
        #expect(weight("\(spaces)text/html,", of: ["text/html"]) == 0)
        #expect(weight("\(spaces.dropLast())text/html,;", of: ["text/html"]) == 1000)
        #expect(weight("\(spaces)text/html", of: ["text/html"]) == 1000)
    }
}

@Suite struct AcceptedLanguagesTests {
    private func choice(_ header: String) -> String? {
        AcceptedLanguages(header).choice(of: ["de", "en-GB", "zh-Hant"])
    }

    @Test(arguments: [
        ("de", "de"), ("fr, de-AT-1996;q=0.2", "de"), ("en-GB-oed", "en-GB"), ("EN-gb;q=0.3, de;q=0.2", "en-GB"),
        ("de;q=0.5, en-GB;q=0.5", "de"), ("zh-Hant-TW", "zh-Hant"), ("de-x-shop", "de"), ("*, de;q=0.001", "de"),
        (",, de ;q=1.000,", "de"), ("de;q=0, en-GB", "en-GB"),
    ])
    func `the range of the greatest weight counts first, and loses its last parts`(header: String, language: String) {
        #expect(choice(header) == language)
    }

    @Test(arguments: [
        "", "*", "en", "en-US", "zh", "fr", "de;q=0", "de;q=0.0000", "de;q", "de;x=1", "de_DE", "d", "de-", "-de", "1",
        "de;q=0, de-CH", "d\u{e9}, \u{0}", String(repeating: "de-abcdefgh-", count: 4) + "x",
        String(repeating: "fr,", count: 200) + "de",
    ])
    func `none is chosen where none is named, or what names it is malformed, too long or refused`(header: String) {
        #expect(choice(header) == nil)
    }
}
