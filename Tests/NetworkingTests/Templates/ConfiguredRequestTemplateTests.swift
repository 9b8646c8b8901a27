internal import Testing

@testable internal import Networking

struct ConfiguredRequestTemplateTests {
    @Test("says only what the config says")
    func partial() throws {
        let template = try makeTemplate("{ base_url: \"http://h\" }")
        #expect(template.baseURL == "http://h")
        #expect(template.method == nil)
        #expect(template.path == nil)
        #expect(template.parameters == nil)
        #expect(template.headers == nil)
    }

    @Test("reads every field, in the order of the file")
    func whole() throws {
        let template = try makeTemplate(
            """
            { base_url: "http://h/api", method: POST, path: /p, parameters: { z: 1, a: two }, headers: { X-Key: k } }
            """)
        #expect(template.method == .post)
        #expect(template.path == "/p")
        #expect(template.parameters == [QueryParameter("z", "1"), QueryParameter("a", "two")])
        #expect(template.headers == [HTTPHeader("X-Key", "k")])
    }

    @Test(
        "what is wrong is said where it is",
        arguments: [
            ("{ path: /p }", "f:1:10: error: missing \"base_url\" in \"request\""),
            (
                "{ base_url: \"http://h/?a=b\" }",
                "f:1:22: error: \"base_url\" has a query or fragment; a query belongs into \"parameters\""
            ),
            (
                "{ base_url: \"http://h\", headers: { \"X Y\": a } }",
                "f:1:43: error: the header \"X Y\" cannot be sent"
            ),
            (
                "{ base_url: \"http://h\", headers: { X: \"a\\r\\nY: b\" } }",
                "f:1:43: error: the header \"X\" cannot be sent"
            ),
            (
                "{ base_url: \"http://h\", method: get }",
                "f:1:42: error: \"method\": expected GET or POST, found \"get\"; did you mean \"GET\"?"
            ),
        ])
    func badTemplates(yaml: String, problem: String) {
        #expect(problems("request: \(yaml)\n") == [problem])
    }
}
