import HTTPServer
import Networking
import Testing

@testable import Service

@Suite struct HTTPCORSTests {
    private func cors(_ section: String) throws -> HTTPCORS {
        try ServiceSettings.loaded(makeConfiguration("http: { cors: { \(section) } }")).service.http.cors
    }

    @Test func `no origin is allowed by default`() throws {
        let cors = try cors("")
        #expect(cors.allowedOrigins == [])
        #expect(cors.allowedHeaders == [])
        #expect(cors.maxAge == .seconds(600))
        #expect(CORSPolicy(cors, consulted: []) == nil)
    }

    @Test(arguments: [
        "https://shop.example", "http://localhost:3000", "http://127.0.0.1", "https://[::1]:8443",
        "http://[2001:db8::1]", "capacitor://localhost", "https://xn--mnchen-3ya.example",
        "https://shop.example:80",
    ])
    func `origins as browsers send them are accepted`(origin: String) throws {
        #expect(WebOrigin(origin)?.description == origin)
        #expect(try cors("allow_origins: [\"\(origin)\"], max_age: 0s").allowedOrigins == [origin])
    }

    @Test(arguments: [
        ("https://shop.example/", "https://shop.example"), ("https://Shop.Example", "https://shop.example"),
        ("HTTPS://shop.example:443/path?x#y", "https://shop.example"), ("http://a:80", "http://a"),
        ("http://[::1]:80", "http://[::1]"), ("https://[::1]:8443/", "https://[::1]:8443"),
    ])
    func `a misspelt origin is an error with the spelling of browsers`(origin: String, suggestion: String) {
        #expect(
            problems(makeConfiguration("http: { cors: { allow_origins: [\"\(origin)\"] } }")) == [
                """
                c.yaml:1:33: error: "allow_origins": browsers never send "\(origin)", but scheme, host and unusual port \
                in lower case; did you mean "\(suggestion)"?
                """
            ])
    }

    @Test(arguments: [
        "shop.example", "null", "https://", "https://*.shop.example", "://x", "https://a b", "1http://x",
        "https://münchen.example", "https://shop.example:99999", "file:///x", "",
    ])
    func `a value that is no origin is an error with an example`(origin: String) {
        #expect(
            problems(makeConfiguration("http: { cors: { allow_origins: [\"\(origin)\"] } }")) == [
                """
                c.yaml:1:33: error: "allow_origins": bad origin "\(origin)"; write it like https://shop.example or \
                http://localhost:3000, or * alone for all
                """
            ])
    }

    @Test func `a bad origin is reported without its secrets`() {
        let found = problems(makeConfiguration("http: { cors: { allow_origins: [https://me:hunter2@shop.example] } }"))
        #expect(found.count == 1 && found.allSatisfy { !$0.contains("hunter2") })
    }
}
