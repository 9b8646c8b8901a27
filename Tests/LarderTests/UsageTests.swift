import OperatorsAPI
import FileSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct UsageTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test(arguments: [
        ["--bogus"], ["bogus"], ["check", "--bogus"], ["check", "--config"], ["serve", "extra"],
        ["graph", "--format", "png"], ["config", "bogus"], ["components", "http", "file"], ["schema", "http"],
        ["upstream", "--listen", "nonsense"], ["upstream", "--listen", "127.0.0.1:70000"],
        ["demo", "--upstream", "8081"], ["store", "bogus"], ["store", "show", "first"],
        ["store", "list", "--format", "yaml"], ["unpin", "--offline"],
        ["pin"], ["pin", "--generation", "1", "--revision", "abcd"], ["diff", "1"], ["history", "--admin", "9090"],
    ])
    func `a bad command line exits with 64`(arguments: [String]) async throws {
        let result = try await LarderProcess.run(arguments, in: directory)
        #expect(result.status == 64)
        #expect(result.error.hasPrefix("Error: "))
        #expect(result.output == [])
    }

    @Test(arguments: ["serv", "warm"])
    func `an unknown command is told the one that was probably meant, and all there are`(word: String) async throws {
        let result = try await LarderProcess.run([word, "--config", "nowhere.yaml"], in: directory)
        #expect(result.status == 64)
        let hint = word == "serv" ? "did you mean \"serve\"? The" : "the"
        #expect(
            result.error.hasPrefix(
                "Error: there is no command \"\(word)\"; \(hint) commands are serve, init, check, graph, config, "
                    + "components, schema, fetch, store, refresh, pin, unpin, history, diff, accept, healthcheck, upstream and demo\nUsage: larder "
            ))
    }

    @Test func `a bad address on the command line is told what is wrong with it`() async throws {
        let result = try await LarderProcess.run(["upstream", "--listen", "8081"], in: directory)
        #expect(result.status == 64)
        #expect(result.error.contains("'--listen <listen>': it has no host; write it like 127.0.0.1:8081\n"))
    }

    @Test(arguments: [("--version", "\(LarderVersion.current)\n"), ("--help", "OVERVIEW: ")])
    func `version and help go to standard output`(option: String, start: String) async throws {
        let result = try await LarderProcess.run([option], in: directory)
        #expect(result.status == 0)
        #expect(String(decoding: result.output, as: UTF8.self).hasPrefix(start))
        #expect(result.error == "")
    }

    @Test(arguments: [("Dockerfile", "ARG VERSION="), ("config/kubernetes/kustomization.yaml", "newTag: ")])
    func `files that have to spell the version out have this one`(file: String, key: String) throws {
        let lines = String(decoding: try Files.read("\(Repository.root)/\(file)"), as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.contains(key) }
        #expect(line?.hasSuffix("\(key)\(LarderVersion.current)") == true)
    }

    @Test(arguments: [
        [], ["check"], ["graph"], ["config", "expand"], ["fetch"], ["healthcheck"], ["store", "list"], ["unpin"],
    ])
    func `where no config is named and there is none, the way on is told`(command: [String]) async throws {
        let result = try await LarderProcess.run(command, in: directory)
        #expect(result.status == 1)
        #expect(
            result.error == """
                config/larder.yaml: error: cannot read the config file: no such file
                larder: name a config with --config or LARDER_CONFIG, or see one at work with: larder demo

                """)
    }

    @Test func `a config is read from standard input, also where it is read twice`() async throws {
        let yaml = "providers: { shop: { type: file, path: p.json } }\nserve: shop\n"
        try Files.create(directory("c.yaml"), Array(yaml.utf8))
        try Files.create(directory("p.json"), Array("[]".utf8))
        func run(_ arguments: String) async throws -> (status: Int32?, output: String, error: String) {
            let result = try await LarderProcess.run(
                arguments.split(separator: " ").map(String.init), in: directory, input: directory("c.yaml"))
            return (result.status, String(decoding: result.output, as: UTF8.self), result.error)
        }
        #expect(try await run("check --config -") == (0, "stdin: ok\n", ""))
        #expect(try await run("fetch --provider shop --config -").output == "{\"products\":[],\"total\":0}\n")
        try Files.replace(directory("c.yaml"), with: Array("serve: 1\n".utf8), temporary: directory("new"))
        #expect(try await run("check --config -").error == "stdin:1:8: error: no provider is labelled \"1\"\n")
    }

    @Test(arguments: [
        [], ["serve"], ["check"], ["check", "--strict"], ["graph"], ["config", "expand"], ["fetch"], ["healthcheck"],
        ["demo"],
        ["store", "list"], ["store", "show"], ["store", "verify"], ["pin", "--offline"], ["refresh"], ["unpin"],
        ["pin", "--generation", "1"], ["history"], ["diff", "1", "2"], ["accept"],
    ])
    func `a missing config is one line and exit 1, whatever the command`(command: [String]) async throws {
        let result = try await LarderProcess.run(command + ["--config", "nowhere.yaml"], in: directory)
        #expect(result.status == 1)
        #expect(result.error == "nowhere.yaml: error: cannot read the config file: no such file\n")
        #expect(result.output == [])
    }

    @Test func `a missing catalogue is one line and exit 1`() async throws {
        let result = try await LarderProcess.run(
            ["upstream", "--listen", "127.0.0.1:0", "--catalogue", "nowhere.json"], in: directory)
        #expect(result.status == 1)
        #expect(result.error.split(separator: "\n").count == 1)
        #expect(result.error.ranges(of: "nowhere.json").count == 1)
    }
}
