import Configuration
import Testing
import Text

struct SecretTests {
    @Test func `a secret is read from its field or from a file, whose last newline does not count`() throws {
        let fields = FieldSpec.secretOrFile("token", "The token.")
        let field = try Probe("token: ${T}", fields, environment: ["T": "abc"])
        #expect(field.reader.secretOrFile("token").reveal() == "abc")
        #expect(field.problems.isEmpty)
        try TemporaryFile.with(Array(" a b\r\n\n".utf8)) { path in
            let file = try Probe("token_file: \(path)", fields)
            #expect(file.reader.secretOrFile("token").reveal() == " a b")
            #expect(file.problems.isEmpty)
        }
    }

    @Test func `an absent secret may be allowed, an empty file never is`() throws {
        let fields = FieldSpec.secretOrFile("token", "The token.") + [.optional("x", .string, "Another.")]
        let absent = try Probe("x: y", fields)
        #expect(absent.reader.optionalSecretOrFile("token")?.reveal() == nil)
        #expect(absent.problems.isEmpty)
        try TemporaryFile.with(Array("\n".utf8)) { path in
            let empty = try Probe("token_file: \(path)", fields)
            #expect(empty.reader.optionalSecretOrFile("token")?.reveal() == nil)
            #expect(empty.problems == ["c.yaml:1:13: error: \"token_file\": \"\(path)\" is empty"])
        }
    }

    @Test(arguments: [FieldType.duration, .integer, .url, .address, .boolean, .choice(["a", "b"])])
    func `no problem quotes a value of the environment whose variable is called secret`(_ type: FieldType) throws {
        for name in ["API_TOKEN", "PASSWORD", "client_secret", "X_KEY", "OAUTH"] {
            let text = "x: a${\(name)}"
            let probe = try Probe(text, [.optional("x", type, "X.")], environment: [name: "hunter2 & co"])
            probe.read("x", type)
            #expect(probe.problems.count == 1)
            #expect(probe.problems.allSatisfy { !$0.contains("hunter2") && $0.contains("${\(name)}") })
        }
    }

    @Test(arguments: [
        "ftp://me:hunter2@shop/", "me:hunter2@shop:80", "shop/list?sig=hunter2", "ftp://shop?a=hunter2",
        "ftp://shop#hunter2", "ftp://me:hunter2?x@shop/", "me:hunter2#x@shop:80", "ftp://shop?m=a@b&sig=hunter2",
    ])
    func `of a value of the environment no user, password or query is quoted`(value: String) throws {
        for type in [FieldType.url, .address, .duration] {
            let probe = try Probe("x: ${T}", [.optional("x", type, "X.")], environment: ["T": value])
            probe.read("x", type)
            #expect(probe.problems.count == 1)
            #expect(probe.problems.allSatisfy { !$0.contains("hunter2") && $0.contains("(from \"${T}\")") })
        }
    }

    @Test(arguments: [(FieldType.url, "hunter2/list"), (.address, "http://hunter2/"), (.address, "hunter2:80/list")])
    func `for a secret no correction is suggested`(_ type: FieldType, value: String) throws {
        for name in ["API_TOKEN", "DB_PWD", "SHOP_BEARER", "HOOK_SIG", "SHOP_CREDS", "DB_DSN", "SESSION_ID"] {
            let probe = try Probe("x: ${\(name)}", [.optional("x", type, "X.")], environment: [name: value])
            probe.read("x", type)
            #expect(probe.problems.count == 1)
            #expect(probe.problems.allSatisfy { !$0.contains("hunter2") && !$0.contains("did you mean") })
        }
    }
}
