import Networking
import TestSupport
import Testing

@testable import Service

@Suite("Conditional requests over HTTP", .timeLimit(.minutes(1)))
struct ConditionalRoutesTests {
    /// The stand's clock stands at 08:00:00 when the catalogue comes.
    private static let before = "Fri, 15 Jan 2027 07:59:59 GMT"
    private static let then = "Fri, 15 Jan 2027 08:00:00 GMT"

    @Test(
        "A date says what the client has, in each form that dates have had",
        arguments: [
            (then, 304), ("Friday, 15-Jan-27 08:00:00 GMT", 304), ("Fri Jan 15 08:00:00 2027", 304),
            ("Sat, 16 Jan 2027 08:00:00 GMT", 304), (before, 200), ("yesterday", 200), ("", 200),
        ])
    func modifiedSince(date: String, status: Int) async throws {
        try await Stand.with { stand in
            let first = try await stand.warm()
            #expect(first.headers["Last-Modified"] == Self.then)
            for target in ["/products", "/products/p-7", "/products?limit=3"] {
                for method in ["GET", "HEAD"] {
                    let answer = try await stand.get(
                        target, method: method, headers: [HTTPHeader("If-Modified-Since", date)])
                    #expect(answer.status == status)
                }
            }
        }
    }

    @Test("Beside a tag the date does not count")
    func tagFirst() async throws {
        try await Stand.with { stand in
            let tag = try #require(try await stand.warm().headers["ETag"])
            let since = { HTTPHeader("If-Modified-Since", $0) }
            let other = [HTTPHeader("If-None-Match", "\"other\""), since(Self.then)]
            #expect(try await stand.get("/products", headers: other).status == 200)
            let same = [HTTPHeader("If-None-Match", tag), since(Self.before)]
            #expect(try await stand.get("/products", headers: same).status == 304)
        }
    }

    @Test("A condition that is not met is a 412 problem")
    func failed() async throws {
        try await Stand.with { stand in
            let tag = try #require(try await stand.warm().headers["ETag"])
            for (condition, status) in [
                (HTTPHeader("If-Match", tag), 200), (HTTPHeader("If-Match", "*"), 200),
                (HTTPHeader("If-Match", "W/\(tag)"), 412), (HTTPHeader("If-Match", "\"other\""), 412),
                (HTTPHeader("If-Unmodified-Since", Self.then), 200),
                (HTTPHeader("If-Unmodified-Since", Self.before), 412),
            ] {
                let answer = try await stand.get("/products", headers: [condition])
                #expect(answer.status == status)
                if status == 412 { #expect(answer.headers["Content-Type"] == "application/problem+json") }
            }
        }
    }
}
