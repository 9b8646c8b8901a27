internal import Products
internal import Testing

struct RedactionTests {
    private static let secrets = ["Hunter2!", "Bearer Hunter2!", "say \"x\"", "pässwort", "abc", ""]

    @Test(
        "a secret is taken out, whatever its case, and the rest stays",
        arguments: [
            ("", ""), ("all is well", "all is well"), ("Hunter2!", "<redacted>"), ("hunter", "hunter"),
            ("to http://HUNTER2!.example, hunter2!", "to http://<redacted>.example, <redacted>"),
            ("found Bearer Hunter2! there", "found <redacted> there"),
            ("Hunter2!Hunter2!", "<redacted><redacted>"), ("HunterHunter2!", "Hunter<redacted>"),
            (#"found string "say \"x\"""#, #"found string "<redacted>""#),
            ("ä pässwort ö", "ä <redacted> ö"),
        ])
    func texts(text: String, redacted: String) {
        #expect(Redaction(Self.secrets).applied(to: text) == redacted)
    }

    @Test(
        "the beginning of a secret at which a text was cut is taken out too",
        arguments: [
            ("found string \"hunter…\"", "found string \"<redacted>…\""),
            ("Your token is Bearer Hun…", "Your token is <redacted>…"), ("a hun…", "a hun…"),
            ("hunter, and so on …", "hunter, and so on …"),
        ])
    func cutTexts(text: String, redacted: String) {
        #expect(Redaction(Self.secrets).applied(to: text) == redacted)
    }

    @Test("what is as short as a syllable is no secret")
    func short() {
        #expect(Redaction(["abc"]).applied(to: "the abc") == "the abc")
        #expect(Redaction(["abcd"]).applied(to: "the abcd") == "the <redacted>")
    }

    @Test(
        "every failure that carries a text of somebody else's is rid of them",
        arguments: [
            .unreachable(.dns, detail: "hunter2"), .malformed(detail: "hunter2"), .storeFailed(detail: "hunter2"),
            .refused(.duplicateID("hunter2", first: 0, second: 1)),
            .refused(.duplicateIDOnPages("hunter2", first: 1, second: 2)),
            .refused(.negativePrice(id: "hunter2", position: 0)),
            .refused(.negativeDenomination(id: "hunter2", position: 0)),
            .refused(.badCurrency("hunter2", id: "hunter2", position: 0)),
            .refused(.inconsistentPages(detail: "hunter2")),
        ] as [ProductsFailure])
    func failures(failure: ProductsFailure) {
        let redacted = failure.redacting(["HUNTER2"])
        #expect(redacted.token == failure.token)
        #expect("\(redacted)" == "\(failure)".replacing("hunter2", with: "<redacted>"))
    }

    @Test("the others stay as they are")
    func untouched() {
        let failures: [ProductsFailure] = [
            .upstreamStatus(503, retryAfter: .seconds(1)), .timedOut(after: nil), .notStored, .cancelled,
            .refused(.empty(count: 0, minimum: 1)), .refused(.shrunken(from: 2, to: 1)),
        ]
        #expect(failures.map { $0.redacting(["status", "cancelled"]) } == failures)
    }
}
