import HTTPServer
import JSON
import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BadAnswersTests {
    private static let good = catalogue((1...10).map { mug("\($0)") })

    private static func mug(_ id: String, price: String = "1.5", currency: String = "EUR") -> String {
        #"{"type":"physical","id":"\#(id)","name":"Mug","price":{"amount":\#(price),"currency":"\#(currency)"}}"#
    }

    private static func catalogue(_ products: [String]) -> String {
        "[" + products.joined(separator: ",") + "]"
    }

    private static let bodies = [
        "", "{", "null", "[", "[1]", "[]", "{\"products\":[]}", catalogue((1...4).map { mug("\($0)") }),
        catalogue([mug("1"), mug("1")] + (3...10).map { mug("\($0)") }),
        catalogue((1...9).map { mug("\($0)") } + [#"{"type":"physical","id":"10","name":"Mug"}"#]),
        catalogue((1...9).map { mug("\($0)") } + [#"{"type":"spaceship","id":"10","name":"Mug"}"#]),
        catalogue((1...9).map { mug("\($0)") } + [mug("10", price: "-1")]),
        catalogue((1...9).map { mug("\($0)") } + [mug("10", currency: "EURO")]),
        String(repeating: " ", count: 1 << 21),
    ]

    @Test func `an unusable answer replaces nothing in memory and on disk`() async throws {
        try await ScriptedShop.with { shop in
            let responses = Self.bodies.map { body in
                HTTPResponse(status: .ok, headers: ["Content-Type": "application/json"], body: HTTPBody(text: body))
            }
            var loop = HTTPResponse(status: HTTPStatus(code: 302, reason: "Found"))
            try loop.headers.append("Location", "http://127.0.0.1:\(shop.port)/products")
            shop.serve(Self.good)
            try await Stand.with {
                $0.upstream = "127.0.0.1:\(shop.port)"
                $0.holdOff = "1ms"
            } _: { stand in
                let good = try await stand.get("/products")
                #expect(good.json?["total"] == 10)
                for (number, response) in (responses + [loop]).enumerated() {
                    let stored = try await stand.stored()
                    shop.serve(response)
                    stand.clock.advance(by: .seconds(40))
                    let answer = try await stand.get("/products")
                    #expect(answer.status == 200, "\(number)")
                    #expect(answer.body == good.body, "\(number)")
                    #expect(answer.headers.catalogueAge == "40", "\(number)")
                    #expect(answer.headers.cacheStatus == "larder; fwd=stale; detail=stale-if-error", "\(number)")
                    #expect(try await stand.stored() == stored, "\(number)")
                    #expect(
                        stand.log.count(of: "warning: upstream fails, the last good catalogue is stale") == number + 1)
                    shop.serve(Self.good)
                    try await eventually { try await stand.get("/products").headers.catalogueAge == "0" }
                    await stand.log.wait(for: "notice: upstream recovered", count: number + 1)
                }
            }
        }
    }
}
