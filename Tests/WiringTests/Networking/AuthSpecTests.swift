internal import Configuration
internal import FileSystem
internal import TestSupport
internal import Testing
internal import Text

@testable internal import Networking
@testable internal import Wiring

struct AuthSpecTests {
    @Test(arguments: [
        ("{ type: bearer }", "f:2:6: error: missing \"token\" or \"token_file\" in \"bearer\""),
        (
            "{ type: bearer, token: a, token_file: b }",
            "f:2:44: error: \"token\" and \"token_file\" exclude each other; keep one"
        ),
        (
            "{ type: bearer, token_file: /none/token }",
            "f:2:34: error: \"token_file\": cannot read \"/none/token\": no such file"
        ),
        (
            "{ type: bearer, token: \"hunter2\\r\\nX: y\" }",
            "f:2:29: error: \"token\" holds characters that cannot be sent in a header"
        ),
        ("{ type: basic, password: x }", "f:2:6: error: missing \"username\" in \"basic\""),
        (
            "{ type: basic, username: \"a:b\", password: x }",
            "f:2:31: error: \"username\" must not hold a colon or control characters"
        ),
        (
            "{ type: basic, username: a, password: \"hunter2\\u0007\" }",
            "f:2:44: error: \"password\" holds characters that cannot be sent in a header"
        ),
        ("{ type: bearer, token: \"\" }", "f:2:29: error: \"token\": \"\" is empty"),
        ("{ type: bearer, token: \"${NOTHING}\" }", "f:2:29: error: \"token\": \"${NOTHING}\" is empty"),
        (
            "{ type: basic, username: a, password: \"${NOTHING}\" }",
            "f:2:44: error: \"password\": \"${NOTHING}\" is empty"
        ),
        (
            "{ type: header, name: \"X Y\", value: hunter2 }",
            "f:2:28: error: \"X Y\" is no name of a header"
        ),
    ])
    func `what is wrong is said where it is, without the secret`(yaml: String, problem: String) {
        #expect(networkProblems("auths:\n  a: \(yaml)\n") == [problem])
    }

    @Test(arguments: ["Bearer hunter2", "hunter 2", "hunter2\t", "hünter2"])
    func `what is no bearer token is refused without being told`(token: String) {
        #expect(
            networkProblems("auths:\n  a: { type: bearer, token: \"\(token)\" }\n") == [
                "f:2:29: error: \"token\" is no bearer token: one has visible ASCII characters only, and no space; "
                    + "the word \"Bearer\" is not part of it"
            ])
    }

    @Test(arguments: ["eyJh.bGc-_~+/==", "1|abc", "id:key"])
    func `tokens as they are about are taken`(token: String) {
        #expect(networkProblems("auths:\n  a: { type: bearer, token: \"\(token)\" }\n") == [])
    }

    @Test(arguments: ["Bearer hunter2", " hunter,2", "hünter2"])
    func `what is no bearer token may be a password or key`(secret: String) {
        #expect(networkProblems("auths:\n  a: { type: basic, username: u, password: \"\(secret)\" }\n") == [])
        #expect(networkProblems("auths:\n  a: { type: header, name: X-Key, value: \"\(secret)\" }\n") == [])
    }

    @Test(arguments: ["", "\n\n", " ", " \t\r\n ", "hunter2\nX: y\n"])
    func `a file that is blank, or cannot be sent, is refused where it is named`(content: String) throws {
        let directory = try TemporaryDirectory()
        try Files.create(directory("key"), Array(content.utf8))
        let fault =
            content.hasPrefix("hunter2")
            ? " holds characters that cannot be sent in a header" : ": \"\(directory("key"))\" is empty"
        let found = networkProblems("auths:\n  a: { type: header, name: X-Key, value_file: \(directory("key")) }\n")
        #expect(found == ["f:2:47: error: \"value_file\"\(fault)"])
    }

    @Test
    func `white space around what a file holds is not part of the secret, in the beginning and later`() async throws {
        let directory = try TemporaryDirectory()
        try Files.create(directory("token"), Array(" \tfirst \r\n\n".utf8))
        let yaml = "{ type: basic, username: u, password_file: \(directory("token")) }"
        let auth = try makeAuthentication(yaml)
        #expect(auth.secrets.first?.reveal() == "first")
        #expect(await auth.headers().map(\.value) == ["Basic dTpmaXJzdA=="])
        try Files.replace(directory("token"), with: Array("\n the second\t".utf8), temporary: directory("new"))
        _ = await auth.headers()
        #expect(auth.secrets.first?.reveal() == "the second")
    }
}
