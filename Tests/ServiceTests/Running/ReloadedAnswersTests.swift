import Networking
import TestSupport
import Testing

@testable import Service

@Suite("What clients see of a reload", .timeLimit(.minutes(1)))
struct ReloadedAnswersTests {
    @Test(
        "Answers that are others by a reload are modified since, also for who knows a date alone",
        arguments: [("popular: { sales_over: 1000000 }", ""), ("", ", pagination: { default_limit: 7 }")])
    func modified(sections: String, http: String) async throws {
        try await Stand.with { stand in
            let before = try await stand.warm()
            let date = try #require(before.headers["Last-Modified"])
            let since = { [HTTPHeader("If-Modified-Since", $0)] }
            #expect(try await stand.get("/products", headers: since(date)).status == 304)
            try await stand.reload {
                $0.sections = sections
                $0.http += http
            }
            let after = try await stand.get("/products", headers: since(date))
            #expect(after.status == 200)
            #expect(after.body != before.body)
            #expect(after.headers["Last-Modified"] == date)
            stand.clock.advance(by: .seconds(1))
            let later = try #require(try await stand.get("/products").headers["Last-Modified"])
            #expect(later == "Fri, 15 Jan 2027 08:00:01 GMT")
            #expect(try await stand.get("/products", headers: since(date)).status == 200)
            #expect(try await stand.get("/products", headers: since(later)).status == 304)
        }
    }

    @Test(
        "What takes a restart is described as it is until then, and the rest as it has become",
        arguments: ["limits: { per_address: 9 }", TestCertificate.first.section])
    func description(waiting: String) async throws {
        try await Stand.with { stand in
            try await stand.reload { $0.http += ", \(waiting), cors: { allow_origins: [https://shop.example] }" }
            let described = try await stand.get("/openapi.json").text
            #expect(described.contains("Access-Control-Allow-Origin"))
            #expect(described.contains(#""connections":{"#))
            #expect(!described.contains(#""address_limit":{"#))
        }
    }
}
