import Serving
import Testing

@testable import OperatorsAPI

struct PageTextTests {
    @Test func `what means something to HTML is escaped, and what means nothing to anybody is replaced`() {
        #expect(HTMLText.escaped(#"<b a="1" c='2'>&</b>"#) == "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;&lt;/b&gt;")
        #expect(HTMLText.escaped("a\u{0}b\u{1b}c\nd") == "a\u{fffd}b\u{fffd}c d")
        #expect(HTMLText.escaped("Müller <ö>", upTo: 8) == "Müller …")
    }

    @Test(arguments: [
        (0, "0"), (999, "999"), (1000, "1\u{202f}000"), (1_234_567, "1\u{202f}234\u{202f}567"),
        (-4321, "−4\u{202f}321"),
    ])
    func `large numbers are grouped`(number: Int, text: String) {
        #expect(ReadableNumber.grouped(number) == text)
    }

    @Test(arguments: [
        (0, "0 s"), (119, "119 s"), (120, "2 min"), (7199, "119 min"), (7200, "2 h"), (172_799, "47 h"),
        (604_800, "7 d"), (-5, "-5 s"),
    ])
    func `a time is told in the largest unit there is two of`(seconds: Int, text: String) {
        #expect(ReadableNumber.time(.seconds(seconds)) == text)
    }

    @Test(arguments: [(1.0, "100.0 %"), (0.999_999, "99.9 %"), (0, "0.0 %")])
    func `all but one in a million is not all`(ratio: Double, text: String) {
        #expect(ReadableNumber.percent(ratio) == text)
    }
}
