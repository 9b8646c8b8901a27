internal import JSON
internal import Products
internal import ProvidersTestSupport
internal import Testing

@testable internal import Decoding

struct XMLItemsTests {
    private func items(_ text: String, at path: String, lists: Set<[String]> = []) throws -> String {
        let names = path.split(separator: ".").map(String.init)
        let reader = DocumentReader(format: .xml, elements: names, lists: lists)
        return String(decoding: try reader.items(of: Array(text.utf8)).json, as: UTF8.self)
    }

    private func fault(_ text: String, at path: String = "a.i") -> String? {
        do {
            _ = try items(text, at: path)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        ("<a><i><n>Mug</n></i><i><n>Cup</n></i></a>", #"[{"n":"Mug"},{"n":"Cup"}]"#),
        ("<a><t>x</t><i><n>1</n><n>2</n></i><j/></a>", #"[{"n":["1","2"]}]"#),
        ("<a><i k='1' l='&lt;2'><n u='kg'>3</n></i></a>", ##"[{"@k":"1","@l":"<2","n":{"@u":"kg","#text":"3"}}]"##),
        ("<a><i><n> \n 1 &amp; <![CDATA[<2>]]>&#233; </n><m> \n </m><o/></i></a>", #"[{"n":"1 & <2>é"}]"#),
        ("<a><i><n>x<b>y</b>z</n></i></a>", ##"[{"n":{"b":"y","#text":"xz"}}]"##),
        (
            "<a xmlns:g='u'><i><g:p g:q='1' xml:lang='en'>2</g:p><p>3</p></i></a>",
            ##"[{"g:p":{"@g:q":"1","@xml:lang":"en","#text":"2"},"p":"3"}]"##
        ),
        ("<a xmlns='u'><i><n>1</n></i></a>", #"[{"n":"1"}]"#), ("<a><i><g:p>1</g:p></i></a>", #"[{"g:p":"1"}]"#),
        ("<a><i><i><i>1</i></i></i><b><i>2</i></b></a>", #"[{"i":{"i":"1"}}]"#),
        ("<a><i/><i> 7 </i></a>", #"[{},"7"]"#), ("<a>  </a>", "[]"), ("<?xml version='1.0'?><a/>", "[]"),
        ("<?xml version='1.0'?><!-- <i/> --><a><?p x?><i><n>1<!-- 2 -->3</n></i></a>", #"[{"n":"13"}]"#),
    ])
    func `elements become objects, texts and lists`(text: String, json: String) throws {
        #expect(try items(text, at: "a.i") == json)
    }

    @Test func `other encodings that the document declares are read`() throws {
        let start = "<?xml version='1.0' encoding='ISO-8859-1'?><a><i><n>caf"
        let latin = Array(start.utf8) + [0xE9] + Array("</n></i></a>".utf8)
        let found = try DocumentReader(format: .xml, elements: ["a", "i"]).items(of: latin).json
        #expect(String(decoding: found, as: UTF8.self) == #"[{"n":"café"}]"#)
        let wide = "\u{FEFF}<a><i><n>é</n></i></a>".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let other = try DocumentReader(format: .xml, elements: ["a", "i"]).items(of: wide).json
        #expect(String(decoding: other, as: UTF8.self) == #"[{"n":"é"}]"#)
    }

    @Test func `a child is a list where a path says so, also if it stands alone`() throws {
        let text = "<a><i><v><p>1</p></v><w>2</w></i></a>"
        #expect(try items(text, at: "a.i", lists: [["v"], ["v", "p"]]) == #"[{"v":[{"p":["1"]}],"w":"2"}]"#)
        let mapping = """
            { format: xml, items: a.i, type: digital, fields: { price.amount: { path: v.*.p, pick: min }, \
            tags: t.*, first: u.0 }, constants: { price.currency: EUR, name: N } }
            """
        let document = "<a><i><id>1</id><v><p>2</p></v><t>x</t><u>y</u></i></a>"
        let product = try #require(try decodeMapped(document, mapping).products.first)
        #expect("\(product.price.amount)" == "2")
        #expect(product.attributes["tags"] == .array(["x"]) && product.attributes["first"] == "y")
    }

    @Test(arguments: [
        ("", "line 1, column 1: expected XML, found nothing"),
        ("{\"a\":1}", "line 1, column 1: expected XML, found \"{\\\"a\\\":1}\""),
        (
            "<a>\n<i><n>1</i></a>",
            "line 2, column 12: Opening and ending tag mismatch: n line 2 and i"
        ),
        (
            "<!DOCTYPE a [<!ENTITY x 'y'>]><a><i>&x;</i></a>",
            "line 1, column 13: a DOCTYPE, which may define entities, is refused"
        ),
        ("<!DOCTYPE html>\n<html/>", "line 1, column 15: expected XML, found HTML"),
        ("<a><i><n>&nbsp;</n></i></a>", "line 1, column 16: Entity 'nbsp' not defined"),
        ("<b><i/></b>", "line 1, column 1: no element a.i; the document is \"b\""),
        ("<a><items/><j/></a>", "line 1, column 1: no element a.i; a has \"items\" and \"j\""),
        ("<html><body>Down</body></html>", "line 1, column 1: no element a.i; the document is \"html\""),
    ])
    func `what cannot be read is refused with line and column`(text: String, problem: String) {
        #expect(fault(text) == problem)
    }

    @Test func `a name that is nearly right is suggested`() {
        let found = fault("<rss><channel><title/><item/></channel></rss>", at: "rss.channel.items")
        #expect(
            found == "line 1, column 1: no element rss.channel.items; rss.channel has \"title\" and \"item\"; did you "
                + "mean \"item\"?")
    }

    @Test func `deep nesting, cut documents and bytes in no encoding are refused`() {
        let deep = String(repeating: "<i>", count: 200)
        #expect(fault("<a>\n\(deep)")?.hasPrefix("line 2, column 300: elements are nested deeper than 100") == true)
        let whole = "<a>\n<i><n>Mug</n></i>\n</a>"
        for count in 1..<whole.utf8.count {
            #expect(fault(String(whole.prefix(count)))?.hasPrefix("line ") == true, "\(count)")
        }
        #expect(throws: DocumentFault.self) {
            try DocumentReader(format: .xml, elements: ["a", "i"]).items(of: Array("<a><i>".utf8) + [0xE9, 0x3C])
        }
    }

    @Test func `a long text is read, and a long tag refused before the parser is busy with it`() throws {
        let long = String(repeating: "long ", count: 600_000)
        #expect(try items("<a><i><n>\(long)</n></i></a>", at: "a.i").utf8.count > 2_900_000)
        #expect(try items("<a><i><n><![CDATA[\(long)]]></n></i></a>", at: "a.i").utf8.count > 2_900_000)
        #expect(fault("<a>\n<i k='\(long)'/></a>") == "line 2, column 1: a tag is longer than 65536 bytes")
    }

    @Test func `nothing is loaded, and no entity is expanded`() {
        let bomb = "<!DOCTYPE a SYSTEM 'file:///etc/passwd' [<!ENTITY b '&c;&c;'>]>\n<a><i>&b;</i></a>"
        #expect(fault(bomb)?.hasSuffix("a DOCTYPE, which may define entities, is refused") == true)
    }

    @Test func `an error of an item names its line`() throws {
        let mapping =
            "{ format: xml, items: a.i, type: digital, fields: { price.amount: p }, "
            + "constants: { price.currency: EUR } }"
        let good = "<i><id>1</id><name>Mug</name><p>1</p></i>"
        let text = "<a>\n\(good)\n<i>\n<id>2</id><name>Cup</name><p>1,5</p></i></a>"
        let problem = "[1].price.amount (theirs: p): expected a number, found string \"1,5\" (line 3)"
        #expect(try mappedProblem(text, mapping) == problem)
    }
}
