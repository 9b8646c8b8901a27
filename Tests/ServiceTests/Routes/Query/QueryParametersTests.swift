import HTTPServer
import Testing

@testable import Service

@Suite("Query parameters")
struct QueryParametersTests {
    private enum Colour: String, CaseIterable {
        case red, green, blue
    }

    private struct Reader: QueryReading {}

    private func colour(_ query: String, known: [String] = ["colour", "size"]) throws -> Colour? {
        try Reader().query(of: HTTPRequest(target: "/products\(query)"), taking: known).choice(
            "colour", of: Colour.self)
    }

    @Test(
        "What is asked for is read, and nothing where nothing is asked for",
        arguments: [
            ("", nil), ("?", nil), ("?&", nil), ("?size=1", nil), ("?colour=red", .red),
            ("?colour=green&size=1", .green),
            ("?&size&&colour=bl%75e&", .blue), ("?%63olour=red", .red),
        ] as [(String, Colour?)])
    private func reads(query: String, colour: Colour?) throws {
        #expect(try self.colour(query) == colour)
    }

    @Test(
        "What is wrong is named in the order of the query, with what would be right",
        arguments: [
            ("?limit=3", #"unknown query parameter "limit": this resource takes "colour" and "size""#),
            ("?colour=red&a+b%21", #"unknown query parameter "a b!": this resource takes "colour" and "size""#),
            ("?Colour=red", #"unknown query parameter "Colour": this resource takes "colour" and "size""#),
            ("?=red", #"unknown query parameter "": this resource takes "colour" and "size""#),
            ("?colour=red&colour=red", #"query parameter "colour" is given more than once"#),
            ("?size=1&size=2&x", #"query parameter "size" is given more than once"#),
            ("?colour=pink", #"query parameter "colour" may be "red", "green" or "blue", not "pink""#),
            ("?colour=RED", #"query parameter "colour" may be "red", "green" or "blue", not "RED""#),
            ("?colour=", #"query parameter "colour" may be "red", "green" or "blue", not """#),
            ("?colour", #"query parameter "colour" may be "red", "green" or "blue", but has no value"#),
        ])
    func problems(query: String, detail: String) {
        let problem = #expect(throws: QueryProblem.self) { try colour(query) }
        #expect(problem?.description == detail)
        #expect(problem?.response.status == .badRequest)
        #expect(problem?.response.headers.first("Content-Type") == "application/problem+json")
    }

    @Test("A route that takes one parameter, or none, says so")
    func fewParameters() {
        let one = #expect(throws: QueryProblem.self) { try colour("?x", known: ["colour"]) }
        #expect(one?.description == #"unknown query parameter "x": this resource takes "colour""#)
        let none = #expect(throws: QueryProblem.self) { try colour("?x", known: []) }
        #expect(none?.description == #"unknown query parameter "x": this resource takes none"#)
    }

    @Test("A query that cannot be decoded is no problem of its parameters")
    func undecodable() {
        #expect(throws: HTTPRequestError.malformedQueryItem("colour=%zz")) { try colour("?colour=%zz") }
    }
}
