import Configuration
import HTTPServer
import Products
import Testing

@testable import Service

@Suite("The variance of answers")
struct AnswerVarianceTests {
    private let variance = AnswerVariance(
        ["x-user", "ETAG", "accept-language", "X-User"].map { header in
            RequestVariation(header: header, rule: "test", variants: ["a", "b"]) { _ in "a" }
        })

    @Test("Vary has each header once, in order, in the usual spelling")
    func vary() {
        #expect(variance.vary == "Accept-Encoding, Accept-Language, Etag, X-User")
        #expect(variance.head.fields.map(\.name) == ["Vary"])
        #expect(variance.head.first("Vary") == variance.vary)
        #expect(variance.variants == 16)
        #expect(!variance.isNone)
    }

    @Test("Exactly these headers are read, where they are there, under their lower-case names")
    func headers() {
        let request = HTTPRequest(
            target: "/products", headers: [("X-USER", "me"), ("Cookie", "secret"), ("x-user", "too"), ("Etag", "")])
        #expect(variance.headers(of: request) == ["x-user": "me, too", "etag": ""])
    }

    @Test("Without variations nothing is read, and caches are told of nothing but the coding")
    func none() {
        let none = AnswerVariance([])
        #expect(none.isNone)
        #expect(none.head == ["Vary": "Accept-Encoding"])
        #expect(none.variants == 1)
        #expect(none.headers(of: HTTPRequest(target: "/", headers: [("X-User", "me")])) == [:])
    }
}
