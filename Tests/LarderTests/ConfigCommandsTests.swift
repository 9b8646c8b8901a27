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

    @Test func `the schema is JSON, and needs no config`() async throws {
        let text = try await fixture.run("schema")
        #expect(text.last == "\n")
        let document = try JSONParser().parse(Array(text.utf8)).object
        #expect(document?["$schema"] == "http://json-schema.org/draft-07/schema#")
        #expect(document?["properties"]?.object?["serve"] != nil)
    }
}
