internal import FileSystem
internal import TestSupport
internal import Testing

@testable internal import Networking

@Suite(.timeLimit(.minutes(2)))
struct TLSConnectionTests {
    /// Options that trust an authority alone, from a file in this directory.
    private static func trusting(
        _ authority: CertificateAuthority, in directory: TemporaryDirectory,
        own: CertificateAuthority.Issued? = nil, log: LogRecorder = LogRecorder()
    ) throws -> HTTPConnectionOptions {
        var options = HTTPConnectionOptions()
        try copy(authority.path, to: directory("ca.pem"))
        if let own { try copy(own, to: directory) }
        let content = TLSContent(
            roots: try Files.read(authority.path), chain: try own.map { try Files.read($0.certificate) } ?? [],
            key: try own.map { try Files.read($0.key) } ?? [])
        options.files = TLSFiles(
            content, roots: directory("ca.pem"), certificate: own.map { _ in directory("own.pem") },
            key: own.map { _ in directory("own.key") }, logger: log.logger, timeout: .seconds(20))
        return options
    }

    private static func copy(_ path: String, to other: String) throws {
        try write(try Files.read(path), to: other)
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        try Files.replace(path, with: bytes, temporary: path + ".new")
    }

    private static func copy(_ own: CertificateAuthority.Issued, to directory: TemporaryDirectory) throws {
        try copy(own.certificate, to: directory("own.pem"))
        try copy(own.key, to: directory("own.key"))
    }

    /// What a `TLSUpstream` answers.
    private static func facts(_ client: HTTPClient, _ url: String) async throws -> [String: String] {
        let lines = String(decoding: try await client.get(url).body, as: UTF8.self).split(separator: "\n")
        return Dictionary(
            lines.map { line in
                let name = line.prefix { $0 != " " }
                return (String(name), String(line.dropFirst(name.count + 1)))
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The text of the error that a request ends with.
    private static func error(_ client: HTTPClient, _ url: String) async throws -> String {
        let error = await #expect(throws: HTTPClientError.self) { try await client.get(url) }
        return try "\(#require(error))"
    }

    @Test func `an authority of a file is trusted in place of the system's`() async throws {
        let (authority, directory) = (try CertificateAuthority(), try TemporaryDirectory())
        let upstream = try TLSUpstream(try authority.issue("shop"))
        defer { upstream.stop() }
        try await withClient { plain in
            let place = "certificate of localhost:\(upstream.port) (CN=shop, issuer CN=Test CA)"
            let untrusted = try await Self.error(plain, upstream.url)
            #expect(
                untrusted == "\(upstream.url): TLS failed (\(place): is not issued by a CA of the system, "
                    + "or an intermediate one is missing)")
            try await withOptions(try Self.trusting(authority, in: directory), of: plain) { client async throws in
                let facts = try await Self.facts(client, upstream.url)
                #expect(facts["client"] == "-")
                #expect(facts["name"] == "localhost")
            }
        }
    }

    @Test func `an error says which certificate failed and why`() async throws {
        let (authority, directory) = (try CertificateAuthority(), try TemporaryDirectory())
        let expired = try TLSUpstream(try authority.issue("old", days: -1))
        let foreign = try TLSUpstream(try authority.issue("other", names: "DNS:other.example,IP:192.0.2.1"))
        defer { [expired, foreign].forEach { $0.stop() } }
        let options = try Self.trusting(authority, in: directory)
        try await withClient { plain in
            try await withOptions(options, of: plain) { client async throws in
                let old = try await Self.error(client, expired.url)
                #expect(old.contains("(CN=old, issuer CN=Test CA): expired on "))
                #expect(old.contains(/on 20\d\d-\d\d-\d\d\)$/))
                #expect(
                    try await Self.error(client, foreign.url).hasSuffix(
                        "(CN=other, issuer CN=Test CA): is for other.example, 192.0.2.1, not localhost)"))
                #expect(try await errorToken(client, HTTPClientRequest(url: foreign.url, limits: wide)) == "tls")
            }
        }
    }

    @Test func `a server name is asked for and verified in place of the host, which the request still names`()
        async throws
    {
        let (authority, directory) = (try CertificateAuthority(), try TemporaryDirectory())
        let upstream = try TLSUpstream(try authority.issue("shop", names: "DNS:shop.internal"))
        defer { upstream.stop() }
        var options = try Self.trusting(authority, in: directory)
        options.origin = WebOrigin(upstream.url)
        options.serverName = "shop.internal"
        try await withClient { plain in
            try await withOptions(options, of: plain) { client async throws in
                let facts = try await Self.facts(client, upstream.url)
                #expect(facts["name"] == "shop.internal")
                #expect(facts["host"] == "localhost:\(upstream.port)")
                // Another origin has the name of its own URL.
                let other = "https://127.0.0.1:\(upstream.port)/"
                #expect(try await Self.error(client, other).hasSuffix("is for shop.internal, not 127.0.0.1)"))
            }
        }
    }

    @Test func `without verification any certificate will do`() async throws {
        let upstream = try TLSUpstream(try CertificateAuthority().issue("old", names: "DNS:other.example", days: -1))
        defer { upstream.stop() }
        var options = HTTPConnectionOptions()
        options.isVerifying = false
        try await withClient { plain in
            try await withOptions(options, of: plain) { client async throws in
                #expect(try await client.get(upstream.url).status == 200)
            }
            #expect(try await errorToken(plain, HTTPClientRequest(url: upstream.url, limits: wide)) == "tls")
        }
    }

    @Test func `an authority that is no longer in the file is not trusted, on old connections and sessions either`()
        async throws
    {
        let (first, second) = (try CertificateAuthority(), try CertificateAuthority(named: "Second CA"))
        let directory = try TemporaryDirectory()
        let upstream = try TLSUpstream(try first.issue("shop"))
        defer { upstream.stop() }
        let options = try Self.trusting(first, in: directory)
        try await withClient { plain in
            try await withOptions(options, of: plain) { client async throws in
                #expect(try await Self.facts(client, upstream.url)["connection"] == "0")
                #expect(try await Self.facts(client, upstream.url)["connection"] == "0")
                try Self.copy(second.path, to: directory("ca.pem"))
                let error = try await Self.error(client, upstream.url)
                #expect(error.contains("is not issued by a CA of \(directory("ca.pem"))"))
                try Self.copy(first.path, to: directory("ca.pem"))
                #expect(try await client.get(upstream.url).status == 200)
            }
        }
    }

    @Test func `a certificate of the client that has changed is shown on a new connection, without the old session`()
        async throws
    {
        let (authority, directory) = (try CertificateAuthority(), try TemporaryDirectory())
        let (first, second) = (try authority.issue("first"), try authority.issue("second"))
        let upstream = try TLSUpstream(try authority.issue("shop"), clients: authority.path)
        defer { upstream.stop() }
        let log = LogRecorder()
        let options = try Self.trusting(authority, in: directory, own: first, log: log)
        try await withClient { plain in
            try await withOptions(options, of: plain) { client async throws in
                #expect(try await Self.facts(client, upstream.url)["client"] == "/CN=first")
                // Half of a change: the last good pair stays in use.
                try Self.copy(second.certificate, to: directory("own.pem"))
                #expect(try await Self.facts(client, upstream.url)["connection"] == "0")
                try Self.copy(second.key, to: directory("own.key"))
                let facts = try await Self.facts(client, upstream.url)
                #expect(facts["client"] == "/CN=second")
                #expect(facts["connection"] == "1")
                #expect(facts["resumed"] == "0")
            }
        }
        #expect(
            log.seen == [
                "warning: TLS files cannot be used; the last good ones stay in use",
                "info: TLS files have changed; new connections use them",
            ])
    }

    @Test func `a server that wants a certificate refuses a client without one, as a failure of TLS`() async throws {
        let (authority, directory) = (try CertificateAuthority(), try TemporaryDirectory())
        let upstream = try TLSUpstream(try authority.issue("shop"), clients: authority.path)
        defer { upstream.stop() }
        try await withClient { plain in
            try await withOptions(try Self.trusting(authority, in: directory), of: plain) { client async throws in
                let error = try await Self.error(client, upstream.url)
                #expect(error.contains("TLS failed"))
                #expect(error.contains("alert certificate required"))
            }
        }
    }

    @Test func `files that are gone or broken leave the last good ones in use`() async throws {
        let (authority, directory) = (try CertificateAuthority(), try TemporaryDirectory())
        let log = LogRecorder()
        let files = try #require(try Self.trusting(authority, in: directory, log: log).files)
        let good = await files.current()
        for text in ["", "no certificate\n"] {
            try Self.write(Array(text.utf8), to: directory("ca.pem"))
            #expect(await files.current() == good)
        }
        try Files.remove(directory("ca.pem"))
        #expect(await files.current() == good)
        #expect(log.seen == ["warning: TLS files cannot be used; the last good ones stay in use"])
    }

    @Test func `what cannot be used is described`() throws {
        let authority = try CertificateAuthority()
        let (one, other) = (try authority.issue("one"), try authority.issue("other"))
        let (chain, key) = (try Files.read(one.certificate), try Files.read(one.key))
        #expect(TLSContent(roots: try Files.read(authority.path), chain: chain, key: key).problem == nil)
        #expect(TLSContent(roots: key).problem?.description.contains("trusted roots holds no certificate") == true)
        #expect(TLSContent(chain: key, key: key).problem?.isAboutKey == false)
        #expect(TLSContent(chain: chain, key: chain).problem?.isAboutKey == true)
        let foreign = TLSContent(chain: chain, key: try Files.read(other.key)).problem
        #expect(foreign?.description.contains("the key belongs to another certificate") == true)
    }
}
