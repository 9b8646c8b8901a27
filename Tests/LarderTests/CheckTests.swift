import TestSupport
import FileSystem
import Testing

@Suite("larder check", .timeLimit(.minutes(1)))
struct CheckTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("A config without a warning is ok, exit 0", arguments: Repository.configs, [[], ["--strict"]])
    func good(name: String, options: [String]) async throws {
        let path = "\(Repository.root)/config/\(name)"
        let result = try await LarderProcess.run(
            ["check", "--config", path] + options, environment: ["LARDER_UPSTREAM": "localhost:8081"], in: directory)
        #expect(result.status == 0)
        #expect(String(decoding: result.output, as: UTF8.self) == "\(path): ok\n")
        #expect(result.error == "")
    }

    @Test("A bad config is one line a problem on standard error, exit 1")
    func bad() async throws {
        let path = directory("bad.yaml")
        let text = "http: { threads: many, listn: a:1 }\nserve: { type: htp }\n"
        try Files.create(path, Array(text.utf8))
        let result = try await LarderProcess.run(["check", "--config", path], in: directory)
        #expect(result.status == 1)
        #expect(result.output == [])
        let lines = result.error.split(separator: "\n")
        try #require(lines.count == 3)
        #expect(lines[0] == "\(path):1:18: error: \"threads\": bad number \"many\"; it must be auto or from 1 to 256")
        #expect(lines[1] == "\(path):1:24: error: unknown key \"listn\" in \"http\"; did you mean \"listen\"?")
        #expect(lines[2] == "\(path):2:16: error: unknown provider type \"htp\"; did you mean \"http\"?")
    }

    @Test("A warning leaves the config ok, exit 0; with --strict it does not, exit 1")
    func warning() async throws {
        let path = directory("warned.yaml")
        let text = """
            stores: { spare: { type: json_file, directory: /tmp/x } }
            serve: { type: http, request: { base_url: "http://shop.example" } }

            """
        try Files.create(path, Array(text.utf8))
        let warning = "\(path):1:11: warning: store \"spare\" is never used\n"
        let lenient = try await LarderProcess.run(["check", "--config", path], in: directory)
        #expect(lenient.status == 0)
        #expect(lenient.error == warning)
        let strict = try await LarderProcess.run(["check", "--strict", "--config", path], in: directory)
        #expect(strict.status == 1)
        #expect(strict.output == [])
        #expect(strict.error == warning + "\(path): 1 warning\n")
    }

    @Test("The config is looked for by option, then variable, then under its usual name")
    func places() async throws {
        let byDefault = try await LarderProcess.run(["check"], in: directory)
        #expect(byDefault.status == 1)
        #expect(byDefault.error == "config/larder.yaml: error: cannot read the config file: no such file\n")
        let byVariable = try await LarderProcess.run(
            ["check"], environment: ["LARDER_CONFIG": "variable.yaml"], in: directory)
        #expect(byVariable.error == "variable.yaml: error: cannot read the config file: no such file\n")
        let byOption = try await LarderProcess.run(
            ["check", "--config", "option.yaml"], environment: ["LARDER_CONFIG": "variable.yaml"], in: directory)
        #expect(byOption.error == "option.yaml: error: cannot read the config file: no such file\n")
    }
}
