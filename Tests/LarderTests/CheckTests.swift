import TestSupport
import Testing

@testable import larder

@Suite("larder check")
struct CheckTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    @Test("A config without warnings is ok, also with --strict", arguments: ["check", "check --strict"])
    func good(line: String) async throws {
        let path = "\(Repository.root)/config/demo.yaml"
        #expect(try await fixture.run(line, path) == "\(path): ok\n")
        #expect(fixture.notes.value == [])
    }

    @Test("A bad config is one line a problem")
    func bad() async throws {
        let path = try fixture.config("http: { threads: many, listn: a:1 }\nserve: { type: htp }\n")
        #expect(
            await fixture.failure("check", path) == """
                \(path):1:18: error: "threads": bad number "many"; it must be auto or from 1 to 256
                \(path):1:24: error: unknown key "listn" in "http"; did you mean "listen"?
                \(path):2:16: error: unknown provider type "htp"; did you mean "http"?
                """)
        #expect(fixture.printed.value == "")
    }

    @Test("A warning is printed, and fails the check only with --strict")
    func warning() async throws {
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

    @Test("The config is looked for by option, then variable, then under its usual name")
    func places() async throws {
        let cause = "error: cannot read the config file: no such file"
        var fixture = fixture
        #expect(await fixture.failure("check") == "config/larder.yaml: \(cause)")
        fixture.variables = ["LARDER_CONFIG": "variable.yaml"]
        #expect(await fixture.failure("check") == "variable.yaml: \(cause)")
        #expect(await fixture.failure("check", "option.yaml") == "option.yaml: \(cause)")
    }
}
