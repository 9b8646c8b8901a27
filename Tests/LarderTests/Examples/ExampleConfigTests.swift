import FileSystem
import TestSupport
import Testing

@Suite("Example configs", .timeLimit(.minutes(1)))
struct ExampleConfigTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("Each is for a shop's API, with a stand-in by which it is tested, or for a composition")
    func complete() throws {
        let files = try Files.list("\(Repository.root)/config/examples").sorted()
        let names = Example.all.map(\.api.name) + Composition.all.map(\.name)
        #expect(files == names.map { "\($0).yaml" }.sorted())
    }

    @Test("It is ok, without a warning", arguments: Example.all)
    func check(example: Example) async throws {
        let result = try await LarderProcess.run(
            ["check", "--config", example.config],
            environment: try example.environment(upstream: "https://shop.example", in: directory), in: directory)
        #expect(result.status == 0)
        #expect(String(decoding: result.output, as: UTF8.self) == "\(example.config): ok\n")
        #expect(result.error == "")
    }

    @Test("Without its variables it says which are missing", arguments: Example.all)
    func variables(example: Example) async throws {
        let result = try await LarderProcess.run(["check", "--config", example.config], in: directory)
        let needed = Set(example.api.secrets.keys).union(example.api.variables.keys).subtracting(["LARDER_CURRENCY"])
        #expect(result.status == (needed.isEmpty ? 0 : 1))
        for variable in needed { #expect(result.error.contains(variable)) }
    }

    @Test("A composition is ok, without a warning", arguments: Composition.all)
    func check(composition: Composition) async throws {
        let upstreams = ["https://shop.example", "https://other.shop.example"]
        let result = try await LarderProcess.run(
            ["check", "--config", composition.config],
            environment: try composition.environment(upstreams: upstreams, in: directory), in: directory)
        #expect(result.status == 0)
        #expect(String(decoding: result.output, as: UTF8.self) == "\(composition.config): ok\n")
        #expect(result.error == "")
    }

    @Test("A composition without its variables says which are missing", arguments: Composition.all)
    func variables(composition: Composition) async throws {
        let result = try await LarderProcess.run(["check", "--config", composition.config], in: directory)
        #expect(result.status == 1)
        for variable in composition.needed { #expect(result.error.contains(variable)) }
    }
}
