import ArgumentParser
import FileSystem
import JSON
import TestSupport
import Testing

@testable import larder

@Suite(.timeLimit(.minutes(1)))
struct InitTests {
    private static let items = #"""
        {"items":[{"id":1,"name":"Jam","price":1999,"currency":"EUR"},{"id":2,"name":"Tea","price":2500,"currency":"EUR"}]}
        """#

    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    /// An upstream that answers every request with one document, and wants a key.
    private static func upstream(_ body: String, status: String = "200 OK", headers: String = "") -> ScriptedUpstream {
        ScriptedUpstream { connection in
            while let head = connection.readRequest() {
                let isAllowed = head.contains("X-Key: k1")
                connection.respond(
                    status: isAllowed ? status : "401 Unauthorized", headers: headers,
                    body: isAllowed ? Array(body.utf8) : [])
            }
        }
    }

    private func document(_ text: String) throws -> String {
        let path = fixture.directory("document.json")
        try Files.create(path, Array(text.utf8))
        return path
    }

    @Test func `a document of a shop becomes a config that larder check passes and larder fetch reads`() async throws {
        let document = "\(Repository.root)/Tests/Catalogues/vendure/document.json"
        let config = fixture.directory("larder.yaml")
        let printed = try await fixture.run("init \(document) --output \(config)")
        #expect(printed.hasPrefix("\(document): Vendure, GraphQL; 5 products of 5 items\nbefore: {\"id\":\"4\","))
        #expect(
            printed.contains(
                #"\#nafter:  {"type":"physical","id":"4","name":"32-Inch Monitor","price":{"amount":372,"currency":"USD"}"#
            ))
        #expect(try await fixture.run("check --strict", config) == "\(config): ok\n")
        let fetched = try await LarderProcess.run(["fetch", "--dry-run", "--config", config], in: fixture.directory)
        #expect(fetched.status == 0)
        #expect(try JSONParser().parse(fetched.output).object?["total"] == 5)
    }

    @Test func `an upstream is asked once, with a key that the config takes from the environment`() async throws {
        let shop = Self.upstream(Self.items)
        defer { shop.stop() }
        let config = fixture.directory("larder.yaml")
        try await fixture.run("init \(shop.url)items --header X-Key:k1 --set price.scale=currency --output \(config)")
        #expect(shop.requestHeads.count == 1)
        #expect(try !String(decoding: Files.read(config), as: UTF8.self).contains("k1"))
        #expect(fixture.notes.value.contains("the config reads LARDER_UPSTREAM_X_KEY from the environment"))
        var keyed = fixture.environment
        keyed.variables["LARDER_UPSTREAM_X_KEY"] = "k1"
        try await fixture.run("fetch --dry-run", config, in: keyed)
        #expect(fixture.printed.value.contains(#""price":{"amount":19.99,"currency":"EUR"}"#))
    }

    @Test func `a proxy is asked, and is in the config without its user and password`() async throws {
        let proxy = ScriptedUpstream(answering { $0.respond(body: Array(Self.items.utf8)) })
        defer { proxy.stop() }
        let (config, place) = (fixture.directory("larder.yaml"), "127.0.0.1:\(proxy.port)")
        let line = "init http://shop.example/items --set price.scale=currency --output \(config) --proxy"
        try await fixture.run("\(line) http://till:p%40ss@\(place)")
        #expect(proxy.requestHeads.first?.hasPrefix("GET http://shop.example/items HTTP/1.1\r\n") == true)
        #expect(proxy.requestHeads.first?.contains("Proxy-Authorization: Basic dGlsbDpwQHNz\r\n") == true)
        let text = try String(decoding: Files.read(config), as: UTF8.self)
        #expect(text.contains("  proxy: \"http://${LARDER_UPSTREAM_PROXY_LOGIN}@\(place)\"\n"))
        #expect(!text.contains("p%40ss"))
        #expect(fixture.notes.value.contains("the config reads LARDER_UPSTREAM_PROXY_LOGIN from the environment"))
        var keyed = fixture.environment
        keyed.variables["LARDER_UPSTREAM_PROXY_LOGIN"] = "till:p%40ss"
        try await fixture.run("fetch --dry-run", config, in: keyed)
        #expect(proxy.requestHeads.last?.contains("Proxy-Authorization: Basic dGlsbDpwQHNz\r\n") == true)
        try await fixture.run("\(line) http://\(place) --force")
        #expect(try String(decoding: Files.read(config), as: UTF8.self).contains("  proxy: \"http://\(place)\"\n"))
    }

    @Test func `an upstream with a certificate of its own authority is asked, and the config names that`() async throws
    {
        let authority = try CertificateAuthority()
        let shop = try TLSUpstream(try authority.issue("shop"), answer: Self.items)
        defer { shop.stop() }
        let config = fixture.directory("larder.yaml")
        let line = "init \(shop.url)items --set price.scale=currency --output \(config)"
        #expect(await fixture.failure(line)?.contains("certificate of localhost:\(shop.port)") == true)
        try await fixture.run("\(line) --ca-file \(authority.path)")
        let text = try String(decoding: Files.read(config), as: UTF8.self)
        #expect(text.contains("  tls: { ca_file: \"\(authority.path)\" }\n"), "\(text)")
        try await fixture.run("fetch --dry-run", config)
        #expect(fixture.printed.value.contains(#""price":{"amount":19.99,"currency":"EUR"}"#))
    }

    @Test(arguments: [
        ("http://shop.example --ca-file /etc/hostname", "--ca-file: the file of trusted roots holds no certificate"),
        ("https://shop.example --ca-file /none.pem", "--ca-file: cannot open /none.pem: "),
        (
            "https://shop.example --proxy socks://u:secret@proxy:1",
            "--proxy: it must begin with http://, not with socks:"
        ),
        ("https://shop.example --proxy user:secret@proxy:1", "--proxy: it must begin with http://"),
        ("/none.json --proxy http://proxy:1", "a file is read without a CA or a proxy"),
    ])
    func `a way that cannot be taken is a mistake`(line: String, reason: String) async throws {
        let error = await #expect(throws: ValidationError.self) { try await fixture.run("init \(line) --output -") }
        let message = error?.message ?? ""
        #expect(message.hasPrefix(reason) && !message.contains("secret"), "\(message)")
    }

    @Test func `a terminal is asked for an ambiguous price; elsewhere it is a failure that names the option`()
        async throws
    {
        let document = try document(Self.items)
        let config = fixture.directory("larder.yaml")
        let failure = await fixture.failure("init \(document) --output \(config)")
        #expect(
            failure?.contains("may be in minor units or not; choose one:\n  --set 'price.scale=decimal'") == true,
            "\(failure ?? "")")
        #expect(!Files.exists(config))
        let asked = Observed<[String]>([])
        var terminal = fixture.environment
        terminal.ask = { question in
            asked.update { $0.append(question) }
            return "2"
        }
        try await fixture.run("init \(document) --output \(config)", in: terminal)
        #expect(asked.value.count == 1 && asked.value[0].contains("\n  2  currency"))
        #expect(try String(decoding: Files.read(config), as: UTF8.self).contains("scale: currency"))
    }

    @Test func `all questions are asked in one run, and elsewhere all are named in one failure`() async throws {
        let document = try document(#"[{"id":1,"name":"Jam","price":1999},{"id":2,"name":"Tea","price":2500}]"#)
        let config = fixture.directory("larder.yaml")
        let failure = try #require(await fixture.failure("init \(document) --output \(config)"))
        #expect(
            failure.contains(
                "state it, such as --set price.currency=EUR, or name its path: --set price.currency=PATH\nthe amounts at \"price\""
            ), "\(failure)")
        #expect(failure.contains("--set 'price.scale=decimal'"))
        let asked = Observed<[String]>([])
        var terminal = fixture.environment
        terminal.ask = { question in
            asked.update { $0.append(question) }
            return question.contains("minor") ? "1" : "gbp"
        }
        try await fixture.run("init \(document) --output \(config)", in: terminal)
        #expect(asked.value.count == 2)
        let text = try String(decoding: Files.read(config), as: UTF8.self)
        #expect(text.contains("price.currency: GBP") && !text.contains("scale"))
    }

    @Test func `a config is not replaced without force, and may go to standard output`() async throws {
        let document = try document(Self.items)
        let config = try fixture.config("mine")
        let line = "init \(document) --set price.scale=decimal --output"
        #expect(await fixture.failure("\(line) \(config)")?.contains("exists; --force replaces it") == true)
        #expect(try Files.read(config) == Array("mine".utf8))
        try await fixture.run("\(line) \(config) --force")
        let text = try String(decoding: Files.read(config), as: UTF8.self)
        #expect(text.hasPrefix("# Drafted by larder init"))
        #expect(try await fixture.run("\(line) -") == text)
    }

    @Test(arguments: [
        ("200 OK", "Content-Type: text/html\r\n", "<html>", "a page of HTML, not JSON"),
        ("200 OK", "", "name,price", "the document is an empty list"),
        ("200 OK", "", "sorry", "neither JSON nor a table or XML"),
        ("200 OK", "", "<?xml version=\"1.0\"?><a><b/></a>", "no element of the XML looks like a product"),
        ("200 OK", "Content-Type: text/xml\r\n", "<a><b/></a>", "no element of the XML looks like a product"),
        ("200 OK", "", "<!DOCTYPE html><p>Hello", "a page of HTML, neither JSON nor a table or XML"),
        ("200 OK", "", #"{"items":[]}"#, "the list at \"items\" is empty"),
        ("500 No", "", "broken", "status 500: broken"),
    ])
    func `an answer without products is a failure`(
        status: String, headers: String, body: String, reason: String
    ) async throws {
        let shop = Self.upstream(body, status: status, headers: headers)
        defer { shop.stop() }
        let failure = await fixture.failure("init \(shop.url) --header X-Key:k1 --output -")
        #expect(failure?.contains(reason) == true, "\(failure ?? "")")
    }

    @Test func `an upstream that wants a key is a failure that says how to give one`() async throws {
        let shop = Self.upstream(Self.items)
        defer { shop.stop() }
        let failure = await fixture.failure("init \(shop.url) --output -")
        #expect(failure?.contains("status 401: the upstream wants to know who asks; give a key with --header") == true)
        #expect(await fixture.failure("init /none.json --output -")?.contains("/none.json") == true)
        for line in ["init ftp://a --output -", "init /none.json --set colour=red --output -"] {
            await #expect(throws: ValidationError.self) { try await fixture.run(line) }
        }
    }
}
