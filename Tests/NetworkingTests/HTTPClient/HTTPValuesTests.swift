internal import Testing

@testable internal import Networking

struct HTTPValuesTests {
    @Test(arguments: [
        (Duration.zero, 1), (.seconds(-1), 1), (.nanoseconds(1), 1), (.milliseconds(250), 250),
        (.microseconds(1001), 2), (.seconds(90), 90_000), (.seconds(Int64.max), 2_000_000_000),
    ])
    func `durations become whole milliseconds, rounded up, never none`(duration: Duration, expected: Int) {
        #expect(duration.wholeMilliseconds == expected)
    }

    @Test func `header lines are read as they come`() {
        let headers = HTTPHeaders(lines: "A: 1\r\nb:2 \r\nNothing\r\nA:\t3\r\n folded\r\nEmpty:\r\n".utf8)
        #expect(
            headers.all == [
                HTTPHeader("A", "1"), HTTPHeader("b", "2"), HTTPHeader("A", "3 folded"), HTTPHeader("Empty", ""),
            ])
        #expect(headers["a"] == "1, 3 folded")
        #expect(headers["EMPTY"] == "")
        #expect(headers["nothing"] == nil)
    }

    @Test(arguments: [
        ("http://h:1/a?key=secret#x", "http://h:1/a"), ("http://u:p@h/a", "http://h/a"),
        ("http://u@q@h", "http://h"), ("http://h/a@b", "http://h/a@b"), ("nonsense", "nonsense"),
        ("http://u:p?w@h/", "http://…"), ("http://u:p/w@h/", "http://…"), ("http://u:p#w@h/", "http://…"),
        ("http://[::1]:8080/a", "http://[::1]:8080/a"),
    ])
    func `places in messages show no secrets`(url: String, place: String) {
        #expect(HTTPClientFailure(url: url, detail: "").place == place)
    }

    @Test func `an error says where and why`() {
        let failure = HTTPClientFailure(url: "http://h/", detail: "port 80")
        #expect("\(HTTPClientError.refused(failure))" == "http://h/: the connection was refused (port 80)")
    }

    @Test func `a sensitive header prints no value, whichever way it is printed`() {
        let header = HTTPHeader("Authorization", sensitive: "Bearer hunter2")
        let request = HTTPClientRequest(
            method: "POST", url: "https://u:hunter2@h/a?key=hunter2", headers: [header], body: Array("hunter2".utf8))
        let texts = [header as Any, [header], request, Optional(header) as Any].flatMap { value in
            var dumped = ""
            dump(value, to: &dumped)
            return ["\(value)", String(reflecting: value), dumped]
        }
        #expect(texts.allSatisfy { !$0.contains("hunter2") })
        #expect(texts.allSatisfy { $0.contains("<redacted>") })
        #expect("\(header)" == "Authorization: <redacted>")
        #expect("\(request)" == "POST https://h/a [Authorization: <redacted>]")
        #expect("\(HTTPHeader("Accept", "text/html"))" == "Accept: text/html")
        #expect(header.value == "Bearer hunter2")
    }

    @Test func `headers take the place of those of the same names, whatever their case`() {
        var headers = [HTTPHeader("a", "1"), HTTPHeader("B", "2"), HTTPHeader("A", "3")]
        headers.replace(with: [HTTPHeader("A", "4"), HTTPHeader("C", "5")])
        #expect(headers == [HTTPHeader("B", "2"), HTTPHeader("A", "4"), HTTPHeader("C", "5")])
    }
}
