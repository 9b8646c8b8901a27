import JSON
import TestSupport
import Testing

@Suite("larder graph, components and schema", .timeLimit(.minutes(1)))
struct DescriptionTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test(
        "The graph is printed in the notation of --format",
        arguments: [
            ([], "storefront (memory)\n└─ upstream: fallback\n   ├─ primary: reachability\n"),
            (["--format", "mermaid"], "flowchart TD\n"), (["--format", "dot"], "digraph larder {\n"),
        ])
    func graph(options: [String], start: String) async throws {
        let result = try await LarderProcess.run(
            ["graph", "--config", "\(Repository.root)/config/larder.yaml"] + options,
            environment: ["LARDER_UPSTREAM": "localhost:8081"], in: directory)
        #expect(result.status == 0)
        #expect(result.error == "")
        #expect(String(decoding: result.output, as: UTF8.self).hasPrefix(start))
    }

    @Test("The schema is JSON, and needs no config")
    func schema() async throws {
        let result = try await LarderProcess.run(["schema"], in: directory)
        #expect(result.status == 0)
        #expect(result.error == "")
        #expect(result.output.last == UInt8(ascii: "\n"))
        let document = try JSONParser().parse(result.output).object
        #expect(document?["$schema"] == "http://json-schema.org/draft-07/schema#")
        #expect(document?["properties"]?.object?["serve"] != nil)
    }

    @Test("All types are listed family by family, each with what it does")
    func list() async throws {
        let result = try await LarderProcess.run(["components"], in: directory)
        #expect(result.status == 0)
        #expect(result.error == "")
        let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(
            lines.filter { !$0.hasPrefix(" ") } == [
                "stores", "analytics", "monitors", "paginations", "auths", "providers",
            ])
        #expect(
            lines.contains(
                "  memory             keeps the last answer; one refresh at a time; serves stale answers "
                    + "while the upstream fails"))
    }

    @Test("One type is told with its fields, their defaults and an example")
    func one() async throws {
        let result = try await LarderProcess.run(["components", "json_file"], in: directory)
        #expect(result.status == 0)
        #expect(
            String(decoding: result.output, as: UTF8.self) == """
                json_file (store): a directory of JSON files, one a generation, written atomically and checked when read

                  directory: path, required
                      where the files are; made at the first save
                  keep: integer, default 3
                      how many generations stay, the newest included

                  example
                      { type: json_file, directory: /var/lib/larder, keep: 3 }

                """)
    }

    @Test("A type that several families have is told of each")
    func several() async throws {
        let result = try await LarderProcess.run(["components", "file"], in: directory)
        let heads = String(decoding: result.output, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix(" ") }
        #expect(heads.map { $0.prefix { $0 != ":" } } == ["file (sink)", "file (provider)"])
    }

    @Test("The fields of a mapping follow it by their whole names")
    func inner() async throws {
        let result = try await LarderProcess.run(["components", "http"], in: directory)
        let text = String(decoding: result.output, as: UTF8.self)
        #expect(
            text.contains("\n  request: mapping, required\n      what is asked\n  request.base_url: url, required\n"))
    }

    @Test("A type that there is not is one line and exit 1, with the one that was probably meant")
    func unknown() async throws {
        let misspelt = try await LarderProcess.run(["components", "memroy"], in: directory)
        #expect(misspelt.status == 1)
        #expect(misspelt.output == [])
        #expect(misspelt.error == "larder: no component has the type \"memroy\"; did you mean \"memory\"?\n")
        let strange = try await LarderProcess.run(["components", "waterfall"], in: directory)
        #expect(strange.status == 1)
        #expect(strange.error == "larder: no component has the type \"waterfall\"; larder components lists them all\n")
    }
}
