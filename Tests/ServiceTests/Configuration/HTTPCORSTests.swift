import Networking
import Testing

@testable import Service

@Suite("Which pages of other origins may read answers")
struct HTTPCORSTests {
    private func cors(_ section: String) throws -> HTTPCORS {
        try ServiceSettings.loaded(makeConfiguration("http: { cors: { \(section) } }")).service.http.cors
    }

    @Test("By default none may")
    func defaults() throws {
        let cors = try cors("")
        #expect(cors.allowedOrigins == [])
        #expect(cors.allowedHeaders == [])
        #expect(cors.maxAge == .seconds(600))
        #expect(CORSPolicy(cors, consulted: []) == nil)
    }

    @Test(
        "An origin is what browsers send",
        arguments: [
            "https://shop.example", "http://localhost:3000", "http://127.0.0.1", "https://[::1]:8443",
            "http://[2001:db8::1]", "capacitor://localhost", "https://xn--mnchen-3ya.example",
            "https://shop.example:80",
        ])
    func origins(origin: String) throws {
        #expect(WebOrigin(origin)?.description == origin)
        #expect(try cors("allow_origins: [\"\(origin)\"], max_age: 0s").allowedOrigins == [origin])
    }

    @Test(
        "What browsers never send is an error that says what they send instead",
        arguments: [
            ("https://shop.example/", "https://shop.example"), ("https://Shop.Example", "https://shop.example"),
            ("HTTPS://shop.example:443/path?x#y", "https://shop.example"), ("http://a:80", "http://a"),
            ("http://[::1]:80", "http://[::1]"), ("https://[::1]:8443/", "https://[::1]:8443"),
        ])
    func misspelt(origin: String, suggestion: String) {
        #expect(
            problems(makeConfiguration("http: { cors: { allow_origins: [\"\(origin)\"] } }")) == [
                """
                c.yaml:1:33: error: "allow_origins": browsers never send "\(origin)", but scheme, host and unusual port \
                in lower case; did you mean "\(suggestion)"?
                """
            ])
    }

    @Test(
        "What is no origin is an error that says what one looks like",
        arguments: [
            "shop.example", "null", "https://", "https://*.shop.example", "://x", "https://a b", "1http://x",
            "https://münchen.example", "https://shop.example:99999", "file:///x", "",
        ])
    func bad(origin: String) {
        #expect(
            problems(makeConfiguration("http: { cors: { allow_origins: [\"\(origin)\"] } }")) == [
                """
                c.yaml:1:33: error: "allow_origins": bad origin "\(origin)"; write it like https://shop.example or \
                http://localhost:3000, or * alone for all
                """
            ])
    }

    @Test("Every problem is told at its place, and none of its secrets")
    func places() {
        let text = "allow_origins: [\"*\", https://me:hunter2@shop.example], allow_headers: [X-A, x b], max_age: 2d"
        let found = problems(makeConfiguration("http: { cors: { \(text) } }"))
        #expect(found.count == 4)
        #expect(found.first?.contains("\"*\" stands for all origins; leave out the others") == true)
        #expect(found.contains { $0.contains("\"x b\" is not the name of a header") })
        #expect(found.contains { $0.contains("\"2d\" is out of range; it must be from 0s to 1d") })
        #expect(!found.contains { $0.contains("hunter2") })
    }
}
