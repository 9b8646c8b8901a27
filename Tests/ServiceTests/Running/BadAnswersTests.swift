import HTTPServer
import JSON
import Networking
import TestSupport
import Testing

@testable import Service

@Suite("Bad answers", .timeLimit(.minutes(1)))
struct BadAnswersTests {
    private static let good = catalogue((1...10).map { mug("\($0)") })

    private static func mug(_ id: String, price: String = "1.5", currency: String = "EUR") -> String {
        #"{"type":"physical","id":"\#(id)","name":"Mug","price":{"amount":\#(price),"currency":"\#(currency)"}}"#
    }

    private static func catalogue(_ products: [String]) -> String {
        "[" + products.joined(separator: ",") + "]"
    }

    @Test(
        "A body that is no good catalogue replaces nothing",
        arguments: [
            "", "{", "null", "[", "[1]", "[]", "{\"products\":[]}", catalogue((1...4).map { mug("\($0)") }),
            catalogue([mug("1"), mug("1")] + (3...10).map { mug("\($0)") }),
            catalogue((1...9).map { mug("\($0)") } + [#"{"type":"physical","id":"10","name":"Mug"}"#]),
            catalogue((1...9).map { mug("\($0)") } + [#"{"type":"spaceship","id":"10","name":"Mug"}"#]),
            catalogue((1...9).map { mug("\($0)") } + [mug("10", price: "-1")]),
            catalogue((1...9).map { mug("\($0)") } + [mug("10", currency: "EURO")]),
            String(repeating: " ", count: 1 << 21),
        ])
    func body(text: String) async throws {
        try await expectRefused { $0.serve(text) }
    }

    @Test("Redirects that never end replace nothing")
    func redirectLoop() async throws {
        try await expectRefused { shop in
            var response = HTTPResponse(status: HTTPStatus(code: 302, reason: "Found"))
            try response.headers.append("Location", "http://127.0.0.1:\(shop.port)/products")
            shop.serve(response)
        }
    }

    /// Serves ten mugs, then what the closure does, and expects the ten mugs still.
    private func expectRefused(_ spoil: (ScriptedShop) throws -> Void) async throws {
        let shop = try await ScriptedShop()
        shop.serve(Self.good)
        let outcome: Result<Void, any Error>
        do {
            try await Stand.with {
                $0.upstream = "127.0.0.1:\(shop.port)"
            } _: { stand in
                let good = try await stand.get("/products")
                #expect(good.json?["total"] == 10)
                let stored = try await stand.stored()
                try spoil(shop)
                stand.clock.advance(by: .seconds(40))
                let answer = try await stand.get("/products")
                #expect(answer.status == 200)
                #expect(answer.body == good.body)
                #expect(answer.headers["Age"] == "40")
                #expect(answer.headers["Cache-Status"] == "larder; fwd=stale; detail=stale-if-error")
                #expect(try await stand.stored() == stored)
                #expect(stand.log.count(of: "warning: upstream fails, the last good catalogue is stale") == 1)
            }
            outcome = .success(())
        } catch { outcome = .failure(error) }
        await shop.close()
        try outcome.get()
    }
}
