internal import Testing

@testable internal import Networking

struct HTTPValuesTests {
    @Test(
        "durations become whole milliseconds, rounded up, never none",
        arguments: [
            (Duration.zero, 1), (.seconds(-1), 1), (.nanoseconds(1), 1), (.milliseconds(250), 250),
            (.microseconds(1001), 2), (.seconds(90), 90_000), (.seconds(Int64.max), 2_000_000_000),
        ])
    func milliseconds(duration: Duration, expected: Int) {
        #expect(duration.wholeMilliseconds == expected)
    }

    @Test("header lines are read as they come")
    func headerLines() {
        let headers = HTTPHeaders(lines: "A: 1\r\nb:2 \r\nNothing\r\nA:\t3\r\n folded\r\nEmpty:\r\n".utf8)
        #expect(
            headers.all == [
                HTTPHeader("A", "1"), HTTPHeader("b", "2"), HTTPHeader("A", "3 folded"), HTTPHeader("Empty", ""),
            ])
        #expect(headers["a"] == "1, 3 folded")
        #expect(headers["EMPTY"] == "")
        #expect(headers["nothing"] == nil)
    }

    @Test(
        "places in messages show no secrets",
        arguments: [
            ("http://h:1/a?key=secret#x", "http://h:1/a"), ("http://u:p@h/a", "http://h/a"),
            ("http://u@q@h", "http://h"), ("http://h/a@b", "http://h/a@b"), ("nonsense", "nonsense"),
        ])
    func places(url: String, place: String) {
        #expect(HTTPClientFailure(url: url, detail: "").place == place)
    }

    @Test("an error says where and why")
    func errorText() {
        let failure = HTTPClientFailure(url: "http://h/", detail: "port 80")
        #expect("\(HTTPClientError.refused(failure))" == "http://h/: the connection was refused (port 80)")
        #expect(HTTPClientError.refused(failure).isConnectionFailure)
        #expect(!HTTPClientError.bodyTooLarge(failure).isConnectionFailure)
        #expect(HTTPClientError.timeout(failure).failure == failure)
    }
}
