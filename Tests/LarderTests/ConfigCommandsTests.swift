import ArgumentParser
import FileSystem
import JSON
import TestSupport
import Testing

@testable import larder

struct ConfigCommandsTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    @Test(arguments: ["check", "check --strict"])
    func `a config without warnings is ok, also with --strict`(line: String) async throws {
        let path = "\(Repository.root)/config/demo.yaml"
        #expect(try await fixture.run(line, path) == "\(path): ok\n")
        #expect(fixture.notes.value == [])
    }

    @Test func `a bad config is one line a problem`() async throws {
        let path = try fixture.config("http: { threads: many, listn: a:1 }\nserve: { type: htp }\n")
        #expect(
            await fixture.failure("check", path) == """
                \(path):1:18: error: "threads": bad number "many"; it must be auto or from 1 to 256
                \(path):1:24: error: unknown key "listn" in "http"; did you mean "listen"?
                \(path):2:16: error: unknown provider type "htp"; did you mean "http"?
                """)
        #expect(fixture.printed.value == "")
    }

    @Test func `a warning is printed, and fails the check only with --strict`() async throws {
        let path = try fixture.config(
            """
            stores: { spare: { type: json_file, directory: /tmp/x } }
            serve: { type: http, request: { base_url: "http://shop.example" } }

            """)
        let warning = "\(path):1:11: warning: store \"spare\" is never used"
        #expect(try await fixture.run("check", path) == "\(path): ok\n")
        #expect(fixture.notes.value == [warning])
        #expect(await fixture.failure("check --strict", path) == "\(path): 1 warning")
        #expect(fixture.notes.value == [warning, warning])
        #expect(fixture.printed.value == "")
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

    @Test func `a directory in which no file can be made is a warning with the reason, and is not made`() async throws {
        let blocked = fixture.directory("file")
        try Files.create(blocked, [])
        let path = try fixture.config(
            """
            stores: { disk: { type: json_file, directory: \(blocked)/deeper/store } }
            analytics: { events: { type: file, path: \(blocked)/events.jsonl } }
            serve:
              type: caching
              store: disk
              upstream:
                type: validated
                baseline: disk
                upstream: { type: analytics, sink: events, event: hit, upstream: { type: file, path: p.json } }

            """)
        #expect(try await fixture.run("check", path) == "\(path): ok\n")
        #expect(
            fixture.notes.value.filter { $0.contains("warning") }.sorted() == [
                "\(path):1:17: warning: \"disk\" cannot look at \(blocked)/deeper/store: Not a directory",
                "\(path):2:22: warning: \"events\" cannot create directory \(blocked): Not a directory",
            ])
        #expect(await fixture.failure("check --strict", path) == "\(path): 2 warnings")
        let fresh = fixture.directory("new/store")
        let good = try fixture.config(
            "serve: { type: caching, store: { type: json_file, directory: \(fresh) }, upstream: { type: validated, "
                + "max_shrink: 1, upstream: { type: file, path: p.json } } }\n")
        #expect(try await fixture.run("check --strict", good) == "\(good): ok\n")
        #expect(!Files.exists(fixture.directory("new")))
    }

    @Test
    func `with --connect a shared store that cannot be reached fails the check, without its password`() async throws {
        let path = try fixture.config(
            """
            serve:
              type: caching
              store: { type: redis, url: "redis://127.0.0.1:1/0", password: "${PASSWORD:-hunter2}", name: shop }
              upstream: { type: validated, max_shrink: 1, upstream: { type: file, path: products.json } }

            """)
        let failure = await fixture.failure("check --connect", path) ?? ""
        #expect(failure.hasPrefix("larder: serve.store: redis://127.0.0.1:1/0: "))
        #expect(!failure.contains("hunter2"))
        #expect(fixture.printed.value == "")
    }

    @Test(arguments: ["list", "show", "verify"])
    func `the commands about files of a store name those that a shared store has`(command: String) async throws {
        let path = try fixture.config(
            """
            serve:
              type: caching
              store: { type: redis, url: "redis://127.0.0.1:1/0", name: shop }
              upstream: { type: validated, max_shrink: 1, upstream: { type: file, path: products.json } }

            """)
        let failure = await fixture.failure("store \(command)", path) ?? ""
        #expect(failure.contains("\"serve.store\" is shared") && failure.contains("larder history --store serve.store"))
    }

    @Test func `the config is looked for by option, then variable, then under its usual name`() throws {
        var environment = fixture.environment
        let (none, given) = (try ConfigOption.parse([]), try ConfigOption.parse(["--config", "option.yaml"]))
        #expect(none.path(in: environment) == "config/larder.yaml")
        #expect(none.path(in: environment, default: "config/demo.yaml") == "config/demo.yaml")
        environment.variables = ["LARDER_CONFIG": "variable.yaml"]
        #expect(none.path(in: environment) == "variable.yaml")
        #expect(given.path(in: environment) == "option.yaml")
    }

    @Test(arguments: [
        ("", "storefront (memory)\n└─ upstream: fallback\n"), (" --format mermaid", "flowchart TD\n"),
    ])
    func `a graph is printed in the notation that --format names`(format: String, start: String) async throws {
        var fixture = fixture
        fixture.variables = ["LARDER_UPSTREAM": "localhost:8081"]
        let printed = try await fixture.run("graph\(format)", "\(Repository.root)/config/larder.yaml")
        #expect(printed.hasPrefix(start))
        #expect(fixture.notes.value == [])
    }

    @Test func `Top-level keys and all types are listed, family by family, each with its summary`() async throws {
        let lines = try await fixture.run("components").split(separator: "\n").map(String.init)
        #expect(
            lines.filter { !$0.hasPrefix(" ") } == [
                "top level", "stores", "analytics", "monitors", "paginations", "auths", "providers",
            ])
        let keys = lines.dropFirst().prefix { $0.hasPrefix(" ") }.compactMap { $0.split(separator: " ").first }
        #expect(keys == ["http", "admin", "hooks", "reload", "log", "telemetry", "popular", "catalogue", "serve"])
        #expect(
            lines.contains(
                "  memory             keeps the last answer; one refresh at a time; serves stale answers "
                    + "while the upstream fails"))
    }

    @Test func `a type is described with its fields, their defaults and an example`() async throws {
        #expect(
            try await fixture.run("components json_file") == """
                json_file (store): a directory of JSON files, one a generation, written atomically and checked when read

                  directory: path, required
                      where the files are; made at the first save
                  keep: integer, default 3
                      how many generations stay, the newest included
                  keep_for: mapping, optional
                      the history that stays beyond keep, by age
                  keep_for.all: duration, default 0s
                      the age up to which every generation stays
                  keep_for.hourly: duration, default 0s
                      the age up to which the newest generation of each hour stays
                  keep_for.daily: duration, default 0s
                      the age up to which the newest generation of each day stays
                  max_bytes: size, optional
                      the room for all generations; the oldest go first, never the newest two, or under a pin \
                the newest and the pinned

                  example
                      { type: json_file, directory: /var/lib/larder, keep_for: { all: 1h, hourly: 48h, daily: 14d }, \
                max_bytes: 2GB }

                """)
    }

    @Test func `a top-level key is described with its fields`() async throws {
        #expect(
            try await fixture.run("components popular") == """
                popular (top level): which products are marked as popular

                  popular: mapping, optional
                      which products are marked as popular
                  popular.sales_over: integer, default 100
                      a popular product has more sales than this

                """)
    }

    @Test(arguments: [
        ("file", ["file (sink)", "file (provider)"]),
        ("http", ["http (top level)", "http (monitor)", "http (provider)"]),
    ])
    func `a name with several meanings is described with each`(name: String, heads: [String]) async throws {
        let lines = try await fixture.run("components \(name)").split(separator: "\n")
        #expect(lines.filter { !$0.hasPrefix(" ") }.map { String($0.prefix { $0 != ":" }) } == heads)
    }

    @Test func `the fields of a mapping follow it by their whole names`() async throws {
        let text = try await fixture.run("components http")
        #expect(
            text.contains("\n  request: mapping, required\n      what is asked\n  request.base_url: url, required\n"))
        #expect(text.contains("\n  http.tls.key: path, required\n"))
    }

    @Test func `an unknown type is one line, with the one that was probably meant`() async {
        #expect(
            await fixture.failure("components memroy")
                == "larder: no component has the type \"memroy\"; did you mean \"memory\"?")
        #expect(
            await fixture.failure("components waterfall")
                == "larder: no component has the type \"waterfall\"; larder components lists them all")
        #expect(fixture.printed.value == "")
    }

    @Test func `the schema is JSON, and needs no config`() async throws {
        let text = try await fixture.run("schema")
        #expect(text.last == "\n")
        let document = try JSONParser().parse(Array(text.utf8)).object
        #expect(document?["$schema"] == "http://json-schema.org/draft-07/schema#")
        #expect(document?["properties"]?.object?["serve"] != nil)
    }
}
