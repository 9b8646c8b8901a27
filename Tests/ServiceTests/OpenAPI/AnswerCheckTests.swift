import JSON
import TestSupport
import Testing

/// What a walk would not notice, it could not be trusted for.
struct AnswerCheckTests {
    private static let document = #"""
        {"paths": {"/a": {"get": {"responses": {"200": {
          "headers": {"Age": {"required": true, "schema": {"type": "integer", "minimum": 0}}, "Link": {"schema": {}}},
          "content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}, "text/plain": {"schema": {}}}
        }, "304": {"description": "none"}}}}},
        "components": {"schemas": {"A": {"type": "object", "required": ["n"], "properties": {"n": {"type": "number"}},
          "additionalProperties": false}}}}
        """#

    private static func json(_ more: [String: String] = [:]) -> [String: String] {
        ["age": "5", "content-type": "application/json", "content-length": "7"].merging(more) { $1 }
    }

    @Test(arguments: [
        (200, json(), #"{"n":1}"#), (200, json(["link": "<a>"]), #"{"n":1.5}"#),
        (200, json(["content-type": "text/plain; charset=utf-8"]), "text"), (304, [:], ""),
    ])
    func `what is as described is no problem`(status: Int, headers: [String: String], body: String) throws {
        #expect(try problems(status, headers, body) == [])
    }

    @Test(arguments: [
        (404, json(), "{}", "the status is not documented"), (304, json(), "", "age is not documented"),
        (304, [:], "{}", "no body is documented"),
        (200, ["content-type": "application/json"], #"{"n":1}"#, "age is missing"),
        (200, json(["age": "-1"]), #"{"n":1}"#, "age: minimum"),
        (200, json(["age": "old"]), #"{"n":1}"#, "age: type"),
        (200, json(["etag": "a"]), #"{"n":1}"#, "etag is not documented"),
        (200, json(["content-type": "text/html"]), "", "text/html is not documented"),
        (200, json(), "{", "the body is no JSON"), (200, json(), "{}", "/n: required"),
        (200, json(), #"{"n":"1"}"#, "/n: type"), (200, json(), #"{"n":1,"m":1}"#, "/m: not allowed"),
        (200, json(["content-encoding": "gzip"]), "{}", "content-encoding is not documented"),
    ])
    func `what is otherwise is a problem`(status: Int, headers: [String: String], body: String, problem: String) throws
    {
        #expect(try problems(status, headers, body).contains(problem))
    }

    private func problems(_ status: Int, _ headers: [String: String], _ body: String) throws -> [String] {
        let document = try DocumentedPort(Array(Self.document.utf8))
        let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        let answer = RawResponse(head: "HTTP/1.1 \(status) X\r\n\(lines)", body: Array(body.utf8))
        return AnswerCheck(answer, of: try #require(document.operations.first), checker: document.checker).problems
    }
}
