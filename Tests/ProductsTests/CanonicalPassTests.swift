import CatalogueFuzzing
import JSON
import PolymorphicCodable
import Products
import ProductsTestSupport
import Testing
import TestSupport

/// Copying products gives what making and encoding them gives; `CatalogueProperties` compares both, by every policy.
@Suite struct CanonicalPassTests {
    /// A kind, members that a source writes, and the canonical members behind the price.
    @Test(arguments: [
        ("physical", #","sales":-0"#, #","sales":0"#),
        ("physical", #","sales":1e2"#, #","sales":100"#),
        ("physical", #","sales":1.0"#, #","sales":1"#),
        ("physical", #","sales":null"#, #","sales":0"#),
        ("physical", #","sales":"7""#, #","sales":7"#),
        ("physical", #","sales":"1e2""#, #","sales":100"#),
        ("physical", #","sales":999999999999999999"#, #","sales":999999999999999999"#),
        ("physical", #","sales":9223372036854775807"#, #","sales":9223372036854775807"#),
        ("physical", #","sales":-9223372036854775808"#, #","sales":-9223372036854775808"#),
        ("physical", #","weight":1.50"#, #","sales":0,"weight":1.5"#),
        ("physical", #","weight":"12""#, #","sales":0,"weight":12"#),
        ("physical", #","weight":"-0.0""#, #","sales":0,"weight":0"#),
        ("physical", #","weight":-0"#, #","sales":0,"weight":0"#),
        ("physical", #","weight":-2.50"#, #","sales":0,"weight":-2.5"#),
        ("physical", #","weight":0e400"#, #","sales":0,"weight":0"#),
        ("physical", #","weight":100.00"#, #","sales":0,"weight":100"#),
        ("physical", #","weight":1E+2"#, #","sales":0,"weight":100"#),
        ("physical", #","weight":1e-7"#, #","sales":0,"weight":0.0000001"#),
        ("physical", #","weight":100000000000000.00"#, #","sales":0,"weight":100000000000000"#),
        ("physical", #","weight":1000000000000000000000.50"#, #","sales":0,"weight":1000000000000000000000.5"#),
        ("physical", #","weight":"1\u0030""#, #","sales":0,"weight":10"#),
        ("physical", #","w\u0065ight":1"#, #","sales":0,"weight":1"#),
        ("physical", #","weight":null,"dimensions":null"#, #","sales":0"#),
        (
            "physical", #","dimensions":{"unit":"cm","depth":3.0,"type":4,"height":"2","width":1}"#,
            #","sales":0,"dimensions":{"width":1,"height":2,"depth":3,"unit":"cm","type":4}"#
        ),
        ("physical", #","isPopular":{"a":[ 1 ]},"x":1"#, #","sales":0,"x":1"#),
        ("physical", #","x":null,"y":"","z":1.50,"-":-0"#, #","sales":0,"x":null,"y":"","z":1.50,"-":-0"#),
        ("physical", #","x":"\/\u00e9\u0000\n\ud83d\ude00""#, #","sales":0,"x":"/é\u0000\n😀""#),
        ("physical", #","x" : [ 1 ,{ "a":"\u0041" } , { } ]"#, #","sales":0,"x":[1,{"a":"A"},{}]"#),
        ("physical", #","\u0078":1,"a\"b":2"#, #","sales":0,"x":1,"a\"b":2"#),
        ("physical", ",\"\u{E9}\":1,\"e\u{301}\":2", ",\"sales\":0,\"\u{E9}\":1,\"e\u{301}\":2"),
        (
            "physical", #","description":"","category":null,"imageURL":"\u0061""#,
            #","sales":0,"description":"","imageURL":"a""#
        ),
        (
            "physical", #","products":[{"type":"x"}],"amount":1.0,"interval":"","size":1.0,"denominations":null"#,
            #","sales":0,"products":[{"type":"x"}],"amount":1.0,"interval":"","size":1.0,"denominations":null"#
        ),
        ("digital", #","weight":"1.0","size":1e3,"sales":5"#, #","sales":5,"size":1000,"weight":"1.0""#),
        ("subscription", #","x":1,"interval":"\u0000","y":2"#, #","sales":0,"interval":"\u0000","x":1,"y":2"#),
        ("giftCard", #","denominations":[ "10.0",-0 , 25 ]"#, #","sales":0,"denominations":[10,0,25]"#),
        ("bundle", #","addOn":null,"products":[]"#, #","sales":0,"products":[]"#),
        ("voucher", #","x":1,"isPopular":true,"products":[ 1.0 ]"#, #","sales":0,"x":1,"products":[1.0]"#),
    ])
    func `rewrites only what is not canonical`(type: String, members: String, canonical: String) throws {
        let text = "[\(item(type, members))]"
        #expect(try CatalogueProperties.check(text.utf8))
        let decoded = try decode(text, unknownKinds: .keep)
        #expect(String(decoding: decoded.array.bytes, as: UTF8.self) == "[\(item(type, canonical))]")
    }

    @Test(arguments: [
        #","sales":1.5"#, #","sales":"1x""#, #","sales":9223372036854775808"#, #","sales":true"#, #","weight":"""#,
        #","weight":00"#, #","weight":"00""#, #","weight":" 1""#, #","weight":"1\n""#, #","weight":1e400"#,
        #","weight":[]"#, #","weight":-"#, #","weight":1234567890123456789012345678901234567890.5"#,
        #","dimensions":[]"#, #","dimensions":{"width":1,"height":1}"#,
        #","dimensions":{"width":1,"height":null,"depth":1}"#,
        #","dimensions":{"width":1,"height":1,"depth":1,"width":1}"#,
        #","description":1"#, #","x":1,"x":2"#, #","x":1,"\u0078":2"#, #","id":2"#, #","i\u0064":2"#,
        #","x":{"abcdefgh":1,"abcdefgi":2,"abcdefgh":3}"#, #","isPopular":"\uqqqq""#, #","isPopular":"\ud800""#,
        #","isPopular":{"a":1,"a":1}"#, #","x":"\u00""#, #","x":"\x""#, #","x":"\ud800\n""#, #","x":tru"#, #","x":01"#,
        #","x":+1"#, #","x":.5"#, #","x":1."#, #","x":[1,]"#, #","x":{"a":1,}"#, #","x":{"a"}"#, #","x":[1}"#, #","x""#,
        #",,"x":1"#, ",", ",\"x\":\"\u{0}\"", ",\"x\":\"\n\"", ",\"x\":\u{0}1", ",\u{B}\"x\":1", ",\"x\":\u{A0}1",
        ",\"x\":\u{FEFF}1", "}", "]", #"},"x":1"#,
    ])
    func `leaves to the exact path what it refuses`(members: String) throws {
        #expect(try !CatalogueProperties.check("[\(item("physical", members))]".utf8))
    }

    @Test(
        arguments: [
            [0x80], [0xC3], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xE2, 0x82], [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80],
            [0xFF],
        ] as [[UInt8]])
    func `refuses strings and names that are not UTF-8`(bytes: [UInt8]) throws {
        for members in [#","x":"?""#, #","x":"\n?""#, #","?":1"#, #","isPopular":"?""#, #","sales?":1"#] {
            let parts = "[\(item("digital", members))]".utf8.split(separator: UInt8(ascii: "?")).map(Array.init)
            #expect(try !CatalogueProperties.check(parts[0] + bytes + parts[1]))
        }
    }

    @Test func `reads no further than any document goes`() throws {
        let text = Array("\u{FEFF}[\(item("bundle", #","products":[\#(item("digital"))],"é":"\u00e9\\""#))]".utf8)
        #expect(try CatalogueProperties.check(text))
        for length in text.indices { #expect(try !CatalogueProperties.check(text[..<length])) }
        for more in ["x", ",", "]", "\u{0}", "[]"] { #expect(try !CatalogueProperties.check(text + Array(more.utf8))) }
    }

    @Test(arguments: [
        "", "[", "[,]", "[1]", "[null]", "[{}]", "[[]]", "{}", #"{"products":[],"products":[]}"#, #"{"products":{}}"#,
        #"{"products":[}"#, #"{"products":[]],"x":1}"#, #"{"products":[],"x":tru}"#, #"[{"type":"physical"}]"#,
        "\u{0}[]",
    ])
    func `refuses documents that hold no products`(text: String) throws {
        #expect(try !CatalogueProperties.check(text.utf8))
    }

    @Test func `keeps to the limits of depth and of members`() throws {
        func nested(_ bundles: Int) -> String {
            bundles == 0 ? item("digital") : item("bundle", #","products":[\#(nested(bundles - 1))]"#)
        }
        for bundles in 6...10 {
            #expect(try CatalogueProperties.check("[\(nested(bundles))]".utf8) == (bundles <= BundleProduct.depthLimit))
        }
        for depth in [62, 63, 64, 65, 509, 510, 511, 512] {
            let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            #expect(try CatalogueProperties.check("[\(item("digital", ",\"x\":\(value)"))]".utf8) == (depth <= 510))
        }
        for count in [59, 60, 61, 64, 127, 128] {
            let members = (0..<count).map { ",\"m\($0)\":\($0)" }.joined()
            #expect(try CatalogueProperties.check("[\(item("digital", members))]".utf8))
            #expect(try !CatalogueProperties.check("[\(item("digital", members + #","m7":0"#))]".utf8))
        }
    }
}

@Suite struct RandomTextTests {
    private static let pieces = [
        " ", "\n", ",", ":", "\"", "{", "}", "[", "]", "\\", "\\u00e9", "\\u0022", "\\/", "0", "-", "1e2", "null",
        "\u{0}", "é",
        #","isPopular":true"#, #","id":1"#, #""sales":null,"#, #""price":"#, "bundle", "1.50",
    ]

    /// Documents of random products as they are, and then with a few random changes each.
    @Test(arguments: 0..<8)
    func `is copied as it would be encoded, or refused`(seed: Int) throws {
        var products = RandomProducts(seed: seed)
        var random = SeededGenerator(seed: seed)
        var accepted = 0
        for round in 0..<30 {
            var text = JSONValue.array(products.items(3)).encoded()
            for _ in 0..<(round % 4) { Self.change(&text, &random) }
            if try CatalogueProperties.check(text) { accepted += 1 }
        }
        #expect((1..<30).contains(accepted))
    }

    private static func change(_ text: inout [UInt8], _ random: inout SeededGenerator) {
        let place = Int.random(in: text.indices.dropLast(), using: &random)
        let part = place..<min(text.count, place + Int.random(in: 1...12, using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: text.insert(contentsOf: random.pick(pieces).utf8, at: place)
        case 1: text.removeSubrange(part)
        case 2: text[place] = UInt8.random(in: .min ... .max, using: &random)
        case 3: text.insert(contentsOf: text[part], at: Int.random(in: text.indices, using: &random))
        case 4: spread(&text, from: place)
        default: escape(&text, from: place)
        }
    }

    /// Puts white space behind the next separator.
    private static func spread(_ text: inout [UInt8], from place: Int) {
        guard let separator = text[place...].firstIndex(where: { ",:{[".utf8.contains($0) }) else { return }
        text.insert(contentsOf: " \n\t\r".utf8, at: separator + 1)
    }

    /// Writes the next small letter as an escape.
    private static func escape(_ text: inout [UInt8], from place: Int) {
        guard let letter = text[place...].firstIndex(where: { (0x61...0x7A).contains($0) }) else { return }
        text.replaceSubrange(letter...letter, with: "\\u00\(String(text[letter], radix: 16))".utf8)
    }
}

/// The inputs that the fuzzer of catalogues starts from, and those that it found worth keeping, replayed.
@Suite struct CatalogueCorpusTests {
    static let inputs = FuzzedInput.corpus(of: "Catalogue")

    @Test func `the corpus has catalogues, and texts that are refused`() throws {
        let accepted = try Self.inputs.count(where: { try CatalogueProperties.check($0.bytes) })
        #expect(accepted >= 12)
        #expect(Self.inputs.count - accepted >= 8)
    }

    @Test(arguments: inputs)
    func `every property of catalogues holds for every input of the corpus`(_ input: FuzzedInput) throws {
        #expect(throws: Never.self) { try CatalogueProperties.check(input.bytes) }
    }
}
