import Testing
import Text

struct RedactionTests {
    private static let secrets = ["Hunter2!", "Bearer Hunter2!", "say \"x\"", "pässwort", "abc", ""]

    @Test(arguments: [
        ("", ""), ("all is well", "all is well"), ("Hunter2!", "<redacted>"), ("hunter", "hunter"),
        ("to http://HUNTER2!.example, hunter2!", "to http://<redacted>.example, <redacted>"),
        ("found Bearer Hunter2! there", "found <redacted> there"),
        ("Hunter2!Hunter2!", "<redacted><redacted>"), ("HunterHunter2!", "Hunter<redacted>"),
        (#"found string "say \"x\"""#, #"found string "<redacted>""#),
        ("ä pässwort ö", "ä <redacted> ö"),
    ])
    func `a secret is taken out, whatever its case, and the rest stays`(text: String, redacted: String) {
        #expect(Redaction(Self.secrets).applied(to: text) == redacted)
    }

    @Test(arguments: [
        ("found string \"hunter…\"", "found string \"<redacted>…\""),
        ("Your token is Bearer Hun…", "Your token is <redacted>…"), ("a hun…", "a hun…"),
        ("hunter, and so on …", "hunter, and so on …"),
    ])
    func `the beginning of a secret at which a text was cut is taken out too`(text: String, redacted: String) {
        #expect(Redaction(Self.secrets).applied(to: text) == redacted)
    }

    @Test func `what is as short as a syllable is no secret`() {
        #expect(Redaction(["abc"]).applied(to: "the abc") == "the abc")
        #expect(Redaction(["abcd"]).applied(to: "the abcd") == "the <redacted>")
    }
}

struct SecretTests {
    struct Holder {
        let secret = Secret("hunter2")
    }

    @Test func `a secret never prints`() {
        let secret = Secret("hunter2")
        var dumped = ""
        dump(Holder(), to: &dumped)
        let all = [
            "\(secret)", String(reflecting: secret), "\(Holder())", "\([secret])", "\(Optional(secret) as Any)", dumped,
        ]
        #expect(all.allSatisfy { !$0.contains("hunter2") })
        #expect(secret.description == "<redacted>")
        #expect(secret.reveal() == "hunter2")
    }
}
