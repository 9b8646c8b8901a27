internal import FileSystem
internal import Logging
internal import TestSupport
internal import Testing
internal import Text

@testable internal import Networking

@Suite(.timeLimit(.minutes(1)))
struct AuthenticationTests {
    private func headerLines(_ authentication: any Authentication) async throws -> [Substring] {
        let recorded = Shared<[Substring]>([])
        try await withClient(against: answering { $0.respond() }) { client, upstream async throws in
            _ = try await makeCollection(client, upstream.url, authentication: authentication).fetch()
            let lines = upstream.requestHeads.flatMap { $0.split(separator: "\r\n") }
            recorded.withLock { $0 = lines }
        }
        return recorded.withLock { $0 }
    }

    @Test(
        arguments: [
            (BearerAuthentication(token: fixed("abc.def")), "Authorization: Bearer abc.def"),
            (
                BasicAuthentication(username: "Aladdin", password: fixed("open sesame")),
                "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
            ),
            (
                BasicAuthentication(username: "test", password: fixed("123£")),
                "Authorization: Basic dGVzdDoxMjPCow=="
            ),
            (HeaderAuthentication(name: "X-Auth-Token", value: fixed("abc")), "X-Auth-Token: abc"),
        ] as [(any Authentication, String)])
    func `each is received as its standard has it`(authentication: any Authentication, line: String) async throws {
        #expect(try await headerLines(authentication).contains(line[...]))
    }

    @Test func `it takes the place of the template's header of the same name, whatever its case`() async throws {
        let auth = BearerAuthentication(token: fixed("new"))
        try await withClient(against: answering { $0.respond() }) { client, upstream async throws in
            let collection = makeCollection(
                client, upstream.url, authentication: auth, headers: [HTTPHeader("authorization", "Bearer old")])
            _ = try await collection.fetch(adding: [HTTPHeader("If-None-Match", "\"1\"")])
            let lines = try #require(upstream.requestHeads.first).split(separator: "\r\n")
            #expect(lines.filter { $0.lowercased().hasPrefix("authorization:") } == ["Authorization: Bearer new"])
            #expect(lines.contains("If-None-Match: \"1\""))
        }
    }

    @Test func `a secret's file is read at every request, and its last good secret outlives it`() async throws {
        let directory = try TemporaryDirectory()
        let recorder = LogRecorder()
        try Files.create(directory("token"), Array("first\n".utf8))
        let token = Credential(
            Secret("first"), path: directory("token"), form: .bearerToken, logger: recorder.logger)
        let auth = BearerAuthentication(token: token)
        #expect(await auth.headers().map(\.value) == ["Bearer first"])
        try Files.replace(directory("token"), with: Array("other\r\n\n".utf8), temporary: directory("new"))
        #expect(await auth.headers().map(\.value) == ["Bearer other"])
        try Files.remove(directory("token"))
        for _ in 0..<3 { #expect(await auth.headers().map(\.value) == ["Bearer other"]) }
        #expect(recorder.seen == ["warning: a secret's file cannot be used; the last good secret stays in use"])
        #expect(
            recorder.seenLines.first?.metadata["error"]
                == "cannot open \(directory("token")): No such file or directory")
        try Files.create(directory("token"), Array("third".utf8))
        #expect(await auth.headers().map(\.value) == ["Bearer third"])
        try Files.remove(directory("token"))
        #expect(await auth.headers().map(\.value) == ["Bearer third"])
        #expect(recorder.seen.count == 2)
    }

    @Test(
        arguments: [
            ([], "the file is empty"), (Array("\r\n\n".utf8), "the file is empty"),
            (Array(" \t\n".utf8), "the file is empty"), ([0x68, 0xFF], "the file is not UTF-8 text"),
            (Array("hunter2\r\nX-Evil: 1\n".utf8), "the file holds characters that cannot be sent in a header"),
            (Array("hunter2\u{0}".utf8), "the file holds characters that cannot be sent in a header"),
            (Array("Bearer hunter2".utf8), "the file holds characters that cannot be in a bearer token"),
        ] as [([UInt8], String)])
    func `what cannot be a secret does not become one, and is not logged`(
        content: [UInt8], reason: String
    ) async throws {
        try await expectNoSecret(in: content, because: reason)
    }

    @Test func `a file that is too long holds no secret`() async throws {
        let content = [UInt8](repeating: 0x61, count: 65_537)
        try await expectNoSecret(in: content, because: "the file is longer than 65536 bytes")
    }

    private func expectNoSecret(in content: [UInt8], because reason: String) async throws {
        let directory = try TemporaryDirectory()
        let recorder = LogRecorder()
        try Files.create(directory("key"), content)
        let credential = Credential(
            Secret("good"), path: directory("key"), form: .bearerToken, logger: recorder.logger, timeout: .seconds(30))
        #expect(await credential.current().reveal() == "good")
        #expect(recorder.seenLines.map { $0.metadata["error"] } == [reason])
        #expect(recorder.seenLines.allSatisfy { !"\($0)".contains("hunter2") })
    }

    @Test func `what must not be told is the secret, what headers make of it, and the secret before`() async throws {
        let directory = try TemporaryDirectory()
        try Files.create(directory("token"), Array("one".utf8))
        let bearer = BearerAuthentication(
            token: Credential(Secret("one"), path: directory("token"), logger: LogRecorder().logger))
        #expect(bearer.secrets.map { $0.reveal() } == ["one", "Bearer one"])
        try Files.replace(directory("token"), with: Array("two".utf8), temporary: directory("new"))
        for _ in 0..<2 { _ = await bearer.headers() }
        #expect(bearer.secrets.map { $0.reveal() } == ["two", "Bearer two", "one", "Bearer one"])
        let basic = BasicAuthentication(username: "u", password: fixed("hunter2"))
        #expect(basic.secrets.map { $0.reveal() } == ["hunter2", "dTpodW50ZXIy"])
        let header = HeaderAuthentication(name: "X-Key", value: fixed("hunter2"))
        #expect(header.secrets.map { $0.reveal() } == ["hunter2"])
    }

    @Test(
        arguments: [
            BearerAuthentication(token: fixed("hunter2")),
            BasicAuthentication(username: "u", password: fixed("hunter2")),
            HeaderAuthentication(name: "X-Key", value: fixed("hunter2")),
        ] as [any Authentication])
    func `no secret is in any text that its holders print as`(authentication: any Authentication) async throws {
        let headers = await authentication.headers()
        let encoded = "dTpodW50ZXIy"
        for value in [authentication as Any, headers, headers.first as Any] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                #expect(!text.contains("hunter2") && !text.contains(encoded))
            }
        }
    }
}

/// A credential that never changes.
private func fixed(_ secret: String) -> Credential {
    Credential(Secret(secret), logger: LogRecorder().logger)
}
