internal import JSON
internal import Products
internal import ProvidersTestSupport
internal import Text
internal import Testing

@testable internal import Decoding

/// Texts in several languages, of which a mapping names the ones that it wants.
struct LanguageRangesTests {
    private func description(_ value: String, _ locale: String, path: String = "texts") throws -> String? {
        let mapping = """
            { type: physical, fields: { description: { path: \(path), locale: \(locale) } }, \
            constants: { name: x, price.amount: 1, price.currency: EUR } }
            """
        let text = #"[{"id":1,"texts":\#(value)}]"#
        return try #require(try decodeMapped(text, mapping).products.first).description
    }

    @Test(arguments: [
        ("en-GB", "British"), ("[en-GB, en]", "British"), ("en-AU", "English"), ("[fr, en]", "English"),
        ("[de-AT, en]", "Deutsch"), ("[fr]", nil), ("EN-gb", "British"), ("en", "English"),
        ("zh-Hant-TW", "Traditional"), ("zh", nil), ("[pt-BR]", "Brazil"), ("sv-x-shop", "Svensk"),
    ])
    func `the first language that is there counts, and a region falls back to its language`(
        locale: String, text: String?
    ) throws {
        let map = #"""
            {"de":"Deutsch","en":"English","en-GB":"British","fr":"","es":null,"zh-Hant":"Traditional","pt_BR":"Brazil",
            "sv":"Svensk"}
            """#
        #expect(try description(map, locale) == text)
    }

    @Test(arguments: [
        #"[{"locale":"de","value":"Tasse"},{"locale":"en","value":"Cup"}]"#,
        #"[{"language":"de","value":"Tasse"},{"language":"en_US","value":""},{"language":"en","value":"Cup"}]"#,
        ##"[{"languageCode":"EN","text":"Cup"},7,{"x":1}]"##, ##"{"@xml:lang":"en","#text":"Cup"}"##, #""Cup""#,
    ])
    func `a list of texts names their languages, and a text without any is taken`(value: String) throws {
        #expect(try description(value, "en-US") == "Cup")
    }

    @Test func `of several paths the first that has a language counts`() throws {
        #expect(try description(#"{"fr":"Tasse"}"#, "en", path: "[texts, id]") == "1")
        #expect(try description(#"{"a":{"en":"Cup"}}"#, "en", path: "[other, texts.a]") == "Cup")
    }

    @Test func `categories are named in the language`() throws {
        let mapping = """
            { type: physical, fields: { category: { path: tags.*.name, locale: en } }, \
            constants: { name: x, price.amount: 1, price.currency: EUR } }
            """
        let text = #"""
            [{"id":1,"tags":[{"name":{"en":"Cups"}},{"name":{"de":"Neu"}},{"name":{"de":"Glas","en":"Glass"}}]}]
            """#
        #expect(try decodeMapped(text, mapping).products.first?.category?.titles == ["Cups", "Glass"])
    }

    @Test func `a name in no wanted language is missing, and the languages that are there are told`() throws {
        let mapping = """
            { type: physical, fields: { name: { path: title, locale: [en-GB, en] }, description: { path: text, locale: fr } }, \
            constants: { price.amount: 1, price.currency: EUR } }
            """
        #expect(
            try mappedProblem(#"[{"id":1,"title":{"de":"Tasse","fr":""}}]"#, mapping)
                == "[0].name (theirs: title in en-GB or en): missing; title has no text in en-GB or en; there are "
                + "\"de\" and \"fr\"")
        let text = #"[{"id":1,"title":{"en":"Cup"},"text":[{"locale":"de","value":"x"}]}]"#
        let decoded = try decodeMapped(text, mapping)
        #expect(decoded.products.first?.name == "Cup")
        #expect(decoded.unmatched == ["description: text in fr (text has no text in fr; there are \"de\")"])
    }

    @Test func `texts in further languages are kept by member and language, as far as an item has them`() throws {
        let mapping = """
            { type: physical, fields: { name: { path: [title, t], locale: [en, de], localized: { de: [de-AT, de], fr: fr } }, \
            tags: { path: tags.*.name, split: ",", localized: [de] } }, constants: { price.amount: 1, price.currency: EUR } }
            """
        let text = #"""
            [{"id":1,"title":{"en":"Cup","de":"Tasse","de_AT":"H\u00e4ferl"},"tags":[{"name":{"de":"neu,gut"}},{"name":{"de":"alt"}}]},
            {"id":2,"t":{"de":"Glas"}},{"id":3,"title":{"en":"Jar","de":5}}]
            """#
        let products = try decodeMapped(text, mapping).products
        #expect(products.map(\.name) == ["Cup", "Glas", "Jar"])
        #expect(
            products.map { $0.attributes["localized"] } == [
                .object([
                    "name": .object(["de": "H\u{e4}ferl"]), "tags": .object(["de": .array(["neu", "gut", "alt"])]),
                ]),
                .object(["name": .object(["de": "Glas"])]), .object(["name": .object(["de": "5"])]),
            ])
        #expect(
            try decodeMapped(text, mapping).unmatched.first?.hasPrefix("localized.name.fr: title in fr or t in fr")
                == true)
        #expect(
            try mappedProblem(#"[{"id":1,"title":{"en":"Cup","de":[1]}}]"#, mapping)
                == "[0].localized.name.de (theirs: title in de-AT or de): expected a string, found an array")
    }

    @Test(arguments: ["en", "en-GB", "zh-Hant-TW", "de-1996", "sl-rozaj-biske"])
    func `a language has the form of a tag`(text: String) { #expect(LanguageRanges.isTag(text)) }

    @Test(arguments: ["", "e", "en_GB", "en-", "-en", "english-languages", "*", "1a", "en GB", "é\u{e9}"])
    func `any other text is no language`(text: String) { #expect(!LanguageRanges.isTag(text)) }
}
