import FileSystem
import TestSupport
import Testing

@testable import larder

struct SampleTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    private static let mapped = """
        providers:
          shop:
            type: http
            request: { base_url: "http://shop.example" }
            decode:
              when: { state: on }
              type: physical
              fields: { name: title, price.amount: { path: variants.*.price, pick: min }, imageURL: thumnail }
              constants: { price.currency: EUR }
              on_bad_item: skip
          bundled: { type: file, path: /tmp/none.json }
        serve: { type: fallback, primary: shop, secondary: bundled }

        """

    @Test func `a sample is read like the upstream's document, with all that would be lost or published`() async throws
    {
        let path = try fixture.config(Self.mapped)
        let sample = fixture.directory("sample.json")
        let items = #"""
            [{"id":1,"state":"on","title":"a","variants":[{"price":"9.50"},{"price":"8"}],"thumbnail":"x","cost_price":1},
             {"id":2,"state":"off"},{"id":3,"state":"on","title":"c","variants":[{"price":-1}]}]
            """#
        try Files.create(sample, Array(items.utf8))
        let line = "check --sample \(sample) --provider shop"
        #expect(
            try await fixture.run(line, path) == "\(sample): 1 products, 1 skipped, 1 left out\n\(path): ok\n")
        let notes = fixture.notes.value
        #expect(notes.count == 3 && notes.allSatisfy { $0.hasPrefix("\(sample): warning: ") })
        #expect(notes[0].contains("[2].price.amount (theirs: variants.*.price): -1 is negative; its id is \"3\""))
        #expect(notes[1].contains("imageURL: thumnail") && notes[1].contains("did you mean \"thumbnail\"?"))
        #expect(notes[2].contains("\"cost_price\" looks internal"))
        #expect(await fixture.failure("\(line) --strict", path) == "\(path): 3 warnings")
    }

    @Test func `a sample is of the products below an overlay, without the members that it lays`() async throws {
        let decode = "decode: { type: physical, constants: { name: Mug, price.amount: 1, price.currency: EUR } }"
        let path = try fixture.config(
            """
            providers:
              shop: { type: http, request: { base_url: "http://shop.example" }, \(decode) }
              entries: { type: http, request: { base_url: "http://stock.example" }, \(decode) }
            catalogue: { attributes: { stock: { path: stock, type: number }, rack: rack } }
            serve: { type: overlay, members: [stock], upstream: shop, overlay: entries }

            """)
        let sample = fixture.directory("sample.json")
        try Files.create(sample, Array(#"[{"id":1,"cost_price":2}]"#.utf8))
        let read = "\(sample): 1 products, 0 skipped, 0 left out\n\(path): ok\n"
        #expect(try await fixture.run("check --sample \(sample)", path) == read)
        let notes = fixture.notes.value.filter { $0.hasPrefix(sample) }
        #expect(notes.count == 2 && notes[0].contains("cost_price"), "\(notes)")
        #expect(notes.last?.hasSuffix("warning: attribute \"rack\" (rack): no product has a value") == true)
        #expect(try await fixture.run("check --sample \(sample) --provider entries", path) == read)
        #expect(fixture.notes.value.filter { $0.hasPrefix(sample) } == notes)
    }

    @Test(arguments: [("", 2), (", pagination: { type: link, total: { path: total } }", 1)])
    func `a sample whose products cost nothing, or that lacks items of its total, is a warning`(
        pages: String, count: Int
    ) async throws {
        let path = try fixture.config(
            """
            serve: { type: http, request: { base_url: "http://localhost:1", path: /p }\(pages), decode: { items: list, type: physical,
              fields: { price.amount: cost }, constants: { price.currency: EUR } } }

            """)
        let sample = fixture.directory("sample.json")
        try Files.create(sample, Array(#"{"list":[{"id":1,"name":"a","cost":0}],"total":2}"#.utf8))
        #expect(
            await fixture.failure("check --sample \(sample) --strict", path)?.hasSuffix(
                "\(count) warning\(count == 1 ? "" : "s")") == true)
        let notes = fixture.notes.value
        #expect(notes.contains("\(sample): warning: 1 of 1 products cost 0 (cost)"))
        let lost = "\(sample): warning: \"total\" is 2, and 1 item came; add \"pagination\""
        #expect(notes.contains(lost) == (count == 2))
    }

    @Test func `a sample that is none, or of no source, is a failure`() async throws {
        let path = try fixture.config(Self.mapped)
        let sample = fixture.directory("sample.json")
        try Files.create(sample, Array("{}".utf8))
        let failure = await fixture.failure("check --sample \(sample) --provider shop", path)
        #expect(failure?.hasPrefix("\(sample): ") == true)
        #expect(failure?.hasSuffix("an object where the array of items should be") == true, "\(failure ?? "none")")
        for line in ["check --sample \(sample)", "check --sample \(sample) --provider none"] {
            #expect(
                await fixture.failure(line, path)
                    == "larder: --provider has to name one source of shop, bundled")
        }
        #expect(
            await fixture.failure("check --sample /none.json --provider shop", path)?.contains("/none.json") == true)
    }
}
