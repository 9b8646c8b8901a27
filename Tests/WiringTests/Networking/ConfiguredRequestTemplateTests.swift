internal import Testing

@testable internal import Networking
@testable internal import Wiring

struct ConfiguredRequestTemplateTests {
    @Test func `says only what the config says`() throws {
        let template = try makeTemplate("{ base_url: \"http://h\" }")
        #expect(template.baseURL == "http://h")
        #expect(template.method == nil)
        #expect(template.path == nil)
        #expect(template.parameters == nil)
        #expect(template.headers == nil)
        #expect(template.redirectOrigins == nil)
    }

    @Test func `reads every field, in the order of the file`() throws {
        let template = try makeTemplate(
            """
            { base_url: "http://h/api", method: POST, path: /p, parameters: { z: 1, a: two }, headers: { X-Lang: en },
              redirect_origins: ["https://cdn.example"] }
            """)
        #expect(template.method == .post)
        #expect(template.path == "/p")
        #expect(template.parameters == [QueryParameter("z", "1"), QueryParameter("a", "two")])
        #expect(template.headers == [HTTPHeader("X-Lang", "en")])
        #expect(template.redirectOrigins == ["https://cdn.example"])
    }

    @Test(arguments: ["Authorization", "X-API-Key", "x-auth-token", "Cookie", "Client-Secret"])
    func `a header that holds a key by its name is a secret`(name: String) throws {
        let template = try makeTemplate("{ base_url: \"http://h\", headers: { \(name): hunter2 } }")
        #expect(template.headers == [HTTPHeader(name, sensitive: "hunter2")])
        #expect(!"\(template)".contains("hunter2"))
    }

    @Test func `a header whose value comes from the environment is a secret, whatever its name`() throws {
        let template = try makeTemplate(#"{ base_url: "http://h", headers: { X-Api: "${LARDER_TOKEN}", X-Lang: en } }"#)
        #expect(template.headers == [HTTPHeader("X-Api", sensitive: "s3cret"), HTTPHeader("X-Lang", "en")])
    }

    @Test(arguments: [
        ("{ path: /p }", "f:1:10: error: missing \"base_url\" in \"request\""),
        (
            "{ base_url: \"http://h/?a=b\" }",
            "f:1:22: error: \"base_url\" has a query or fragment; a query belongs into \"parameters\""
        ),
        (
            "{ base_url: \"https://me:hunter2@h/a\" }",
            "f:1:22: error: \"base_url\" holds a user or password; give them by \"auth\" instead"
        ),
        (
            "{ base_url: \"http://me@h\" }",
            "f:1:22: error: \"base_url\" holds a user or password; give them by \"auth\" instead"
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
            "{ base_url: \"http://h\", redirect_origins: [\"https://cdn.example/a\"] }",
            "f:1:53: error: \"redirect_origins\": \"https://cdn.example/a\" is no origin; "
                + "write it like https://cdn.example"
        ),
        (
            "{ base_url: \"http://h\", redirect_origins: [\"https://me:${LARDER_TOKEN}@cdn/${LARDER_TOKEN}\"] }",
            "f:1:53: error: \"redirect_origins\": \"https://<redacted>@cdn/${LARDER_TOKEN}\" is no origin; "
                + "write it like https://cdn.example"
        ),
        (
            "{ base_url: \"https://h\", redirect_origins: [\"http://cdn.example\"] }",
            "f:1:54: error: \"redirect_origins\": \"http://cdn.example\" is never followed from https"
        ),
        (
            "{ base_url: \"http://h\", method: get }",
            "f:1:42: error: \"method\": expected GET or POST, found \"get\"; did you mean \"GET\"?"
        ),
    ])
    func `what is wrong is said where it is`(yaml: String, problem: String) {
        #expect(networkProblems("request: \(yaml)\n") == [problem])
    }
}
