import FoundationEssentials
import Testing

@testable import Service

@Suite("HTTP dates")
struct HTTPDateTests {
    @Test(
        "A date is spelled as RFC 9110 wants it, whole seconds, in GMT",
        arguments: [
            (784_111_777.0, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_735_689_599.999, "Tue, 31 Dec 2024 23:59:59 GMT"),
            (4_102_444_800, "Fri, 01 Jan 2100 00:00:00 GMT"),
        ])
    func spelling(seconds: Double, text: String) {
        #expect(HTTPDate.text(Date(timeIntervalSince1970: seconds)) == text)
    }
}
