import Configuration
import HTTPServer
import JSON
import Networking
import Products
import TestSupport
import Testing

@testable import Service

@Suite("Room for answers, over HTTP", .timeLimit(.minutes(1)))
struct AnswerRoomRoutesTests {
    /// All products in an order of their own; another query for each number.
    private static func target(_ number: Int) -> String { "/products?sort=-id&limit=\(200 + number)" }

    @Test("When others hold all that there is room for, who asks something new is told to come again, and nobody else")
    func crowded() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            let subjects = try stand.subjects
            let handler = Self.handler(subjects)
            let server = subjects.runtime.server(NetworkAddress(host: "127.0.0.1", port: 0)) { _ in handler }
            try await server.start()
            let port = Int(try #require(server.port))
            var held: [HTTPBody] = []
            while held.count < 500 {
                let answer = try await handler.respond(to: HTTPRequest(target: Self.target(held.count)))
                guard answer.status == .ok else { break }
                held.append(answer.body)
            }
            #expect((1..<500).contains(held.count))
            let refused = try #require(try await Walk.exchange("GET \(Self.target(600))", port: port))
            #expect(refused.status == 503)
            #expect(refused.headers["retry-after"] == "1")
            #expect(refused.headers["cache-control"] == "no-store")
            #expect(refused.headers["content-type"] == "application/problem+json")
            #expect(try JSONParser().parse(refused.body).object?["status"]?.number?.integer == 503)
            for target in ["/products", "/products/p-7", Self.target(held.count - 1)] {
                #expect(try await Walk.exchange("GET \(target)", port: port)?.status == 200)
            }
            held = []
            #expect(try await Walk.exchange("GET \(Self.target(600))", port: port)?.status == 200)
            await server.stop(deadline: .zero)
        }
    }

    private static func handler(_ subjects: Reloader.Subjects) -> any HTTPHandler {
        let edition = subjects.current.edition
        let http = edition.configuration.service.http
        let useCase = ProductsUseCase(provider: edition.provider)
        return Routes(
            configuration: http, started: http, graph: edition.graph,
            config: ConfigIdentity(edition: 1, hash: edition.configuration.hash), useCase: useCase,
            listings: ListingCache(capacity: 1, isVaried: false, allowance: 0), readiness: subjects.readiness,
            wallClock: subjects.runtime.wallClock, metrics: subjects.runtime.metrics
        ).publicHandler()
    }
}
