import HTTPServer
import Products
import Serving
import TestSupport
import Testing

@Suite struct ProductsFailureResponseTests {
    @Test(
        arguments: [
            (.unavailable(reason: "refused", since: nil, retryAfter: .milliseconds(200)), "1"),
            (.unavailable(reason: "refused", since: nil, retryAfter: .milliseconds(1200)), "2"),
            (.unavailable(reason: "refused", since: nil, retryAfter: .seconds(30)), "30"),
            (.unavailable(reason: "refused", since: nil, retryAfter: .zero), "1"),
            (.upstreamStatus(429, retryAfter: .seconds(7)), "7"), (.upstreamStatus(500, retryAfter: nil), "1"),
            (.notStored, "1"),
        ] as [(ProductsFailure, String)])
    func `Retry-After is in whole seconds, rounded up, at least one`(failure: ProductsFailure, seconds: String) {
        #expect(failure.response.status == .serviceUnavailable)
        #expect(failure.response.headers.first("Retry-After") == seconds)
    }

    @Test func `clients see no internals`() {
        let response = ProductsFailure.storeFailed(detail: "/var/lib/larder: I/O error").response
        #expect(response.headers.first("Content-Type") == "application/problem+json")
        #expect(!response.body.text.contains("/var/lib"))
        #expect(response.body.text.contains("no catalogue can be served at the moment"))
    }
}
