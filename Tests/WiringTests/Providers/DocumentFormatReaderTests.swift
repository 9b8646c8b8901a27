internal import Configuration
internal import Decoding
internal import Testing

@testable internal import Wiring

struct DocumentFormatReaderTests {
    private func problems(of decode: String, pagination: String = "") -> [String] {
        let paged = pagination.isEmpty ? "" : ", pagination: \(pagination)"
        return WiringTests.problems(
            "serve: { type: http, request: { base_url: \"http://u\" }, decode: \(decode)\(paged) }\n",
            sections: [.required("serve", .component(ProviderFamily.self), "the source")]
        ) { _ = $0.component("serve", ProviderFamily.self) }
    }

    @Test(arguments: [
        "{ format: json, items: a.b, item: c }", "{ format: jsonl, item: node }", "{ format: csv, delimiter: \";\" }",
        "{ format: csv, delimiter: \"\\t\" }", "{ format: csv, delimiter: \"|\" }", "{ format: tsv, type: digital }",
        "{ format: xml, items: rss.channel.item, item: g:node }",
    ])
    func `a format is good with the keys that fit it`(decode: String) {
        #expect(problems(of: decode) == [])
    }

    @Test(arguments: [
        (
            "{ format: cvs }",
            "f:1:75: error: \"format\": expected json, jsonl, csv, tsv or xml, found \"cvs\"; did you mean \"csv\"?"
        ),
        (
            "{ format: xml }",
            "f:1:75: error: xml needs \"items\", the names from the root to the repeated element, like rss.channel.item"
        ),
        (
            "{ format: csv, items: products }",
            "f:1:87: error: \"items\" is of json and xml; each line of csv is an item"
        ),
        (
            "{ format: tsv, item: node }",
            "f:1:86: error: \"item\" is of objects within objects, which tsv has not"
        ),
        ("{ format: tsv, delimiter: \";\" }", "f:1:91: error: \"delimiter\" is of csv"),
        ("{ format: csv, delimiter: \"::\" }", "f:1:91: error: \"delimiter\": expected one sign, like ;"),
        ("{ format: csv, delimiter: x }", "f:1:91: error: \"delimiter\": expected one sign, like ;"),
    ])
    func `a key that does not fit is an error at its place`(decode: String, problem: String) {
        #expect(problems(of: decode) == [problem])
    }

    @Test func `pages are of JSON alone`() {
        let pagination = "{ type: page, size: 10, size_parameter: n }"
        #expect(problems(of: "{ format: json }", pagination: pagination) == [])
        #expect(problems(of: "{ format: csv }", pagination: "{ type: single }") == [])
        #expect(
            problems(of: "{ format: csv }", pagination: pagination) == [
                "f:1:94: error: pages are read of JSON alone; a catalogue in csv comes as one document"
            ])
    }
}
