import JSON
import TestSupport
import Testing

@Suite("larder schema", .timeLimit(.minutes(1)))
struct SchemaTests {
    @Test("It is JSON on standard output, and needs no config")
    func schema() async throws {
        let result = try await LarderProcess.run(["schema"], in: try TemporaryDirectory())
        #expect(result.status == 0)
        #expect(result.error == "")
        #expect(result.output.last == UInt8(ascii: "\n"))
        let document = try JSONParser().parse(result.output).object
        #expect(document?["$schema"] == "http://json-schema.org/draft-07/schema#")
        #expect(document?["properties"]?.object?["serve"] != nil)
    }
}
