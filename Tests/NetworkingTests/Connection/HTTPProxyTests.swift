internal import TestSupport
internal import Testing
internal import Text

@testable internal import Networking

@Suite(.timeLimit(.minutes(2)))
struct HTTPProxyTests {
    private static func options(
        _ url: String, except exceptions: [String] = []
    ) throws -> HTTPConnectionOptions {
        var options = HTTPConnectionOptions()
        let proxy = try HTTPProxy(url)
        options.proxies = HTTPProxies(http: proxy, https: proxy, except: exceptions)
        return options
    }

    private static func answer(_ client: HTTPClient, _ url: String) async throws -> String {
        String(decoding: try await client.get(url).body, as: UTF8.self)
    }

    @Test func `plain http is sent to the proxy, and https through a tunnel, each with the credentials`() async throws {
        let proxy = ForwardProxy(credentials: "larder:s3 cret")
        let upstream = try TLSUpstream(try CertificateAuthority().issue("shop"))
        defer {
            proxy.stop()
            upstream.stop()
        }
        var options = try Self.options("http://larder:s3%20cret@127.0.0.1:\(proxy.port)")
        options.isVerifying = false
        try await withClient { plain in
            try await withOptions(options, of: plain) { client async throws in
                let answer = try await Self.answer(client, "http://shop.invalid/products")
                #expect(answer == "by proxy http://shop.invalid/products")
                #expect(try await Self.answer(client, upstream.url).contains("host localhost:\(upstream.port)"))
                #expect(proxy.requestHeads.last?.hasPrefix("CONNECT localhost:\(upstream.port) ") == true)
            }
        }
    }

    @Test func `a proxy that refuses is named, and not taken for the upstream`() async throws {
        let (locked, forbidding) = (ForwardProxy(credentials: "a:b"), ForwardProxy(refusal: "403 Forbidden"))
        defer { [locked, forbidding].forEach { $0.stop() } }
        let closed = LoopbackSocket.closedPort()
        let cases: [(port: Int, url: String, reason: String)] = [
            (locked.port, "http://shop.invalid/", "127.0.0.1:\(locked.port) answered 407"),
            (locked.port, "https://shop.invalid/", "127.0.0.1:\(locked.port) answered 407 to CONNECT"),
            (forbidding.port, "https://shop.invalid/", "127.0.0.1:\(forbidding.port) answered 403 to CONNECT"),
            (closed, "http://shop.invalid/", "127.0.0.1:\(closed): Failed to connect"),
            (closed, "https://shop.invalid/", "127.0.0.1:\(closed): Failed to connect"),
        ]
        try await withClient { plain in
            for (port, url, reason) in cases {
                try await withOptions(try Self.options("http://someone:s3cret@127.0.0.1:\(port)"), of: plain) {
                    client in
                    let thrown = await #expect(throws: HTTPClientError.self) { try await client.get(url) }
                    let error = try #require(thrown)
                    #expect(error.token == "proxy")
                    #expect("\(error)".hasPrefix("\(url): no way through the proxy (\(reason)"))
                    #expect(!"\(error)".contains("s3cret"))
                }
            }
        }
    }

    @Test func `a tunnel made with some credentials serves no client with others`() async throws {
        let proxy = ForwardProxy(credentials: "larder:right")
        let upstream = try TLSUpstream(try CertificateAuthority().issue("shop"))
        defer {
            proxy.stop()
            upstream.stop()
        }
        try await withClient { plain in
            for (password, token) in [("right", nil), ("wrong", "proxy")] as [(String, String?)] {
                var options = try Self.options("http://larder:\(password)@127.0.0.1:\(proxy.port)")
                options.isVerifying = false
                let client = plain.connecting(by: options)
                #expect(try await errorToken(client, HTTPClientRequest(url: upstream.url, limits: wide)) == token)
                await client.shutdown()
            }
            #expect(try await errorToken(plain, HTTPClientRequest(url: upstream.url, limits: wide)) == "tls")
        }
    }

    @Test func `hosts without the proxy are reached directly`() async throws {
        let proxy = ForwardProxy()
        defer { proxy.stop() }
        try await withClient(against: answering { $0.respond(body: "direct") }) { plain, upstream in
            let options = try Self.options("http://127.0.0.1:\(proxy.port)", except: ["127.0.0.0/8"])
            try await withOptions(options, of: plain) { client async throws in
                #expect(try await Self.answer(client, upstream.url) == "direct")
                #expect(try await Self.answer(client, "http://shop.invalid/") == "by proxy http://shop.invalid/")
            }
        }
    }

    @Test(arguments: [
        ("*", "any.example", true), ("shop.example", "shop.example", true), ("shop.example", "a.shop.example", true),
        (".shop.example", "a.shop.example", true), ("*.shop.example", "a.shop.example", true),
        ("shop.example", "otshop.example", false), ("10.0.0.0/8", "10.9.8.7", true), ("10.0.0.0/8", "11.0.0.1", false),
        ("10.0.0.0/15", "10.1.0.0", true), ("10.0.0.0/15", "10.2.0.0", false), ("10.1.2.3", "10.1.2.3", true),
        ("10.1.2.3", "10.1.2.4", false), ("fd00::/8", "[fd12::1]", true), ("::/0", "10.0.0.1", false),
        ("10.0.0.0/99", "10.0.0.0", false), ("", "shop.example", false), (".", "shop.example", false),
    ])
    func `exceptions`(exception: String, host: String, isDirect: Bool) throws {
        let proxies = HTTPProxies(http: try HTTPProxy("http://proxy:1"), except: [exception])
        let target = try #require(WebOrigin("http://\(host)/"))
        #expect((proxies.proxy(for: target) == nil) == isDirect)
    }

    @Test func `the environment names proxies by scheme, and HTTP_PROXY is no such name`() throws {
        func proxy(_ url: String, _ variables: [String: String], except: [String] = []) throws -> String? {
            let proxies = try HTTPProxies(environment: { variables[$0] }, except: except)
            return proxies.proxy(for: try #require(WebOrigin(url)))?.url
        }
        let all = [
            "http_proxy": "http://one:1", "HTTPS_PROXY": "two:2", "HTTP_PROXY": "http://bad:3",
            "NO_PROXY": "a.example, b",
        ]
        #expect(try proxy("http://shop.example", all) == "http://one:1")
        #expect(try proxy("https://shop.example", all) == "http://two:2")
        #expect(try proxy("https://a.example", all) == nil)
        #expect(try proxy("https://a.example", all, except: ["c"]) == "http://two:2")
        #expect(try proxy("http://shop.example", ["HTTP_PROXY": "http://bad:3"]) == nil)
        #expect(try proxy("http://shop.example", ["ALL_PROXY": "http://all:4"]) == "http://all:4")
        let error = #expect(throws: HTTPProxyEnvironmentError.self) {
            try proxy("http://shop.example", ["all_proxy": "socks5://u:s3cret@a:1"])
        }
        #expect(error?.description.hasPrefix("all_proxy of the environment: it must begin with http://, not") == true)
    }

    @Test(arguments: ["https://p:1", "socks5://p:1", "http://p:1/path", "http://", "http://a b:1", "http://u:%zz@p:1"])
    func `texts that name no proxy`(text: String) {
        #expect(throws: HTTPProxyError.self) { try HTTPProxy(text) }
    }

    @Test func `a proxy prints neither user nor password`() throws {
        let proxy = try HTTPProxy("http://someone:s3%2Fcret@proxy.example:3128")
        #expect(proxy.url == "http://proxy.example:3128")
        #expect(!"\(proxy)".contains("cret"))
        #expect(!"\(proxy)".contains("someone"))
        #expect(HTTPProxies(http: proxy).secrets.map { $0.reveal() } == ["s3/cret", "s3%2Fcret"])
    }
}
