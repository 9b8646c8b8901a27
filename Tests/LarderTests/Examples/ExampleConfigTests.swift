import FileSystem
import TestSupport
import Testing

@Suite("Example configs", .timeLimit(.minutes(1)))
struct ExampleConfigTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("Each has a stand-in, by which it is tested")
    func complete() throws {
        let files = try Files.list("\(Repository.root)/config/examples").sorted()
        #expect(files == Example.all.map { "\($0.api.name).yaml" }.sorted())
    }

    @Test("It is ok, without a warning", arguments: Example.all)
    func check(example: Example) async throws {
        let result = try await LarderProcess.run(
            ["check", "--config", example.config],
            environment: try example.environment(upstream: "http://shop.example", in: directory), in: directory)
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
}
