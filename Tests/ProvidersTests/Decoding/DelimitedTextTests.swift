internal import JSON
internal import ProvidersTestSupport
internal import Testing

@testable internal import Decoding
@testable internal import Products

struct DelimitedTextTests {
    private static let mapping = """
        { format: csv, type: digital, fields: { name: title, price.amount: price, note: note }, \
        constants: { price.currency: EUR } }
        """

    private func items(_ text: String, by format: DocumentFormat = .csv, delimiter: Character = ",") throws -> String {
        let reader = DocumentReader(format: format, delimiter: delimiter.asciiValue ?? 0)
        return String(decoding: try reader.items(of: Array(text.utf8)).json, as: UTF8.self)
    }

    private func fault(_ text: String, by format: DocumentFormat = .csv) -> String? {
        do {
            _ = try items(text, by: format)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        ("a,b\n1,2\n3,4\n", #"[{"a":"1","b":"2"},{"a":"3","b":"4"}]"#),
        ("a,b\r\n1,2\r\n3,4", #"[{"a":"1","b":"2"},{"a":"3","b":"4"}]"#),
        ("\u{FEFF}a,b\n1,2", #"[{"a":"1","b":"2"}]"#),
        ("a,b\n\"1,5\",\"say \"\"hi\"\"\"\n", #"[{"a":"1,5","b":"say \"hi\""}]"#),
        ("a,b\n\"one\r\ntwo\n\",2\n3,4\n", #"[{"a":"one\r\ntwo\n","b":"2"},{"a":"3","b":"4"}]"#),
        ("\"a,x\",b\n1,\n,\n", #"[{"a,x":"1"},{}]"#), ("a,b\n\"\", 2 \n", #"[{"b":" 2 "}]"#),
        ("\n\na\n\n1\n\r\n\n2\n\n", #"[{"a":"1"},{"a":"2"}]"#), ("a,b\n", "[]"),
        ("a,b\né\u{0},😀\n", #"[{"a":"é\u0000","b":"😀"}]"#),
    ])
    func `cells are texts by the names of the header, and an empty one is no member`(text: String, json: String) throws
    {
        #expect(try items(text) == json)
    }

    @Test func `tabs and other signs divide cells as commas do`() throws {
        let inches = "a\tb\n3\" wide\t\"x\ty\"\n"
        #expect(try items(inches, by: .tsv) == #"[{"a":"3\" wide","b":"x\ty"}]"#)
        #expect(try items("a;b\n1,5;2", delimiter: ";") == #"[{"a":"1,5","b":"2"}]"#)
    }

    @Test(arguments: [
        ("", "line 1, column 1: expected a header, found nothing"),
        ("\n\n", "line 1, column 1: expected a header, found nothing"),
        ("a,,b\n1,2,3", "line 1, column 1: column 2 of the header has no name"),
        ("a,b,a\n", "line 1, column 1: columns 1 and 3 are both named \"a\""),
        ("a,b\n1,x\"y\n", "line 2, column 4: a quote within a cell that does not begin with one"),
        ("a,b\n1,\"2\n3,4\n", "line 2, column 3: no quote closes this one"),
        ("a,b\né,\"2\"x\n", "line 2, column 6: expected the end of the cell behind a closing quote"),
        ("a,b\n\"x\ny\",\"\"z", "line 3, column 6: expected the end of the cell behind a closing quote"),
        ("a,b\n1,2\r3,4", "line 2, column 4: a carriage return without a line feed"),
        ("a,b\r", "line 1, column 4: a carriage return without a line feed"),
        (" [{\"a\":1}]", "line 1, column 1: expected a header, found \" [{\\\"a\\\":1}]\""),
        ("<html>\n<p>,</p>", "line 1, column 1: expected a header, found \"<html>\""),
    ])
    func `what is no table is refused with line and column`(text: String, problem: String) {
        #expect(fault(text) == problem)
    }

    @Test func `bytes that are not UTF-8 are refused at their place`() throws {
        let bytes = Array("a,b\n1,".utf8) + [0xE9, 0x0A]
        #expect(throws: DocumentFault(line: 2, column: 3, reason: "bytes that are not UTF-8")) {
            try DocumentReader(format: .csv).items(of: bytes)
        }
    }

    @Test func `quotes between tabs never make one item of two`() {
        let rows = "id\tsize\tprice\n1\t\"12\t5\n2\t13\"\t7\n"
        #expect(fault(rows, by: .tsv) == "line 2, column 3: the quotes of a cell hold a tab and a line end")
    }

    @Test func `long names that many rows repeat are refused before they fill the memory`() {
        let name = String(repeating: "n", count: 50_000)
        let text = name + "\n" + String(repeating: "1\n", count: 30_000)
        #expect(fault(text)?.hasSuffix("the items are over 16 times as long as the document") == true)
    }

    @Test func `numbers are read from texts, and an error names the line`() throws {
        let text = "id,title,price,note\n1,Mug,1.50,\n2,\"a\nb\",7,x\n"
        let products = try Array(decodeMapped(text, Self.mapping).products)
        #expect(products.map { "\($0.name) \($0.price.amount)" } == ["Mug 1.5", "a\nb 7"])
        #expect(products[0].attributes.isEmpty && products[1].attributes["note"] == "x")
        let problem = try mappedProblem(text + "3,Cup,\"1,50\",\n", Self.mapping)
        #expect(
            problem == "[2].price.amount (theirs: price): expected a number, found string \"1,50\" (line 5)")
    }

    @Test func `a row of other length is refused by its line, or skipped as a bad item`() throws {
        let text = "id,title,price,note\n1,Mug,1.50,\n2,Cup,7\n3,Jar,8,,\n"
        #expect(try mappedProblem(text, Self.mapping) == "[1]: 3 cells, and the header has 4 (line 3)")
        let skipping = Self.mapping.replacing("format: csv", with: "format: csv, on_bad_item: skip")
        let decoded = try decodeMapped(text, skipping)
        #expect(decoded.products.map(\.id) == ["1"])
        #expect(
            decoded.skipped.map(\.reason) == [
                "[1]: 3 cells, and the header has 4 (line 3)", "[2]: 5 cells, and the header has 4 (line 4)",
            ])
    }

    @Test func `rows that have not changed are recognised`() throws {
        let decoder = try makeDecoder(Self.mapping)
        let text = "id,title,price,note\n1,Mug,1.50,\n2,Cup,7,\n"
        let first = try decoder.decode(Array(text.utf8), knowing: nil)
        let known = try #require(KnownProducts(Catalogue(first), from: first))
        let second = try decoder.decode(Array(text.replacing("7", with: "8").utf8), knowing: known)
        #expect(second.changes?.positions == [1])
        #expect(second.products.map { "\($0.price.amount)" } == ["1.5", "8"])
    }
}

struct JSONLinesTests {
    private static let mapping = """
        { format: jsonl, type: digital, fields: { price.amount: p }, constants: { price.currency: EUR } }
        """

    @Test func `each line is an item, and blank lines are none`() throws {
        let text = "\u{FEFF}{\"id\":1,\"name\":\"Mug\",\"p\":1.50}\r\n \n\n{\"id\":2,\"name\":\"Cup\",\"p\":2}"
        #expect(try decodeMapped(text, Self.mapping).products.map(\.name) == ["Mug", "Cup"])
    }

    @Test(arguments: [
        ("", "invalid JSONL at line 1, column 1: expected an item, found nothing"),
        ("\n{}\n{\"id\":}\n", "invalid JSONL at line 3, column 7: expected a value, found \"}\""),
        ("{\"id\":1},{\"id\":2}", "invalid JSONL at line 1, column 9: expected the end of the document, found \",\""),
        ("{\n\"id\":1}", "invalid JSONL at line 1, column 2: expected a key in quotes, found the end"),
        ("\n[]\n", "[0]: expected an object, found an array (line 2)"),
        ("{\"name\":\"Mug\"}\n", "[0].id: missing (line 1)"),
    ])
    func `a line that is no item is refused by its number`(text: String, problem: String) throws {
        #expect(try mappedProblem(text, Self.mapping) == problem)
    }

    @Test func `lines in our own form need no mapping`() throws {
        let line = #"{"type":"digital","id":"1","name":"Song","price":{"amount":1,"currency":"EUR"}}"#
        #expect(try decodeMapped("\(line)\n", "{ format: jsonl }").products.map(\.id) == ["1"])
    }
}
