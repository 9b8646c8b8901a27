import HTTPServer
import TestSupport
import Testing

@Suite struct ProblemDetailsTests {
    @Test func `says little when there is little to say`() {
        let problem = ProblemDetails(status: .notFound)
        #expect(problem.json == #"{"type":"about:blank","title":"Not Found","status":404}"# + "\n")
    }

    @Test func `escapes text`() {
        let problem = ProblemDetails(
            type: "/problems/x", title: "a \"b\" \\", status: .badRequest, detail: "1\n2\u{1}\u{7f}\u{e9}",
            instance: "/i")
        let expected = #"""
            {"type":"/problems/x","title":"a \"b\" \\","status":400,"detail":"1\n2\u0001\#u{7f}\#u{e9}","instance":"/i"}
            """#
        #expect(problem.json == expected + "\n")
    }

    @Test(arguments: [("\"a", #"\"a"#), ("\"", #"\""#), ("", ""), ("\\\"", #"\\\""#)])
    func `escapes at the edges`(detail: String, escaped: String) {
        let problem = ProblemDetails(status: .badRequest, detail: detail)
        #expect(problem.json.contains(#""detail":"\#(escaped)"}"#))
    }

    @Test func `names the parameter`() {
        let problem = ProblemDetails(title: "t", status: .badRequest, parameter: "a\"b")
        #expect(problem.json == #"{"type":"about:blank","title":"t","status":400,"parameter":"a\"b"}"# + "\n")
    }

    @Test func `is not to be cached unless told otherwise`() {
        let plain = ProblemDetails(status: .gone).response()
        #expect(plain.status == .gone)
        #expect(plain.headers.first("Content-Type") == "application/problem+json")
        #expect(plain.headers.first("Cache-Control") == "no-store")
        let told = ProblemDetails(status: .gone).response(headers: ["cache-control": "max-age=9", "Retry-After": "1"])
        #expect(told.headers.first("Cache-Control") == "max-age=9")
        #expect(told.headers.first("Retry-After") == "1")
    }
}
