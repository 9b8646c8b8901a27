internal import Products
internal import Testing

@testable internal import Providers

struct UpstreamVerdictTests {
    @Test(
        "an upstream that cannot be had, or says that it cannot at the moment, is failing",
        arguments: [
            .unreachable(.refused, detail: ""), .unreachable(.reset, detail: ""), .unreachable(.dns, detail: ""),
            .unreachable(.tls, detail: ""), .unreachable(.truncated, detail: ""), .unreachable(.other, detail: ""),
            .timedOut(after: nil), .timedOut(after: .seconds(2)), .upstreamStatus(429, retryAfter: nil),
            .upstreamStatus(500, retryAfter: nil), .upstreamStatus(503, retryAfter: .seconds(1)),
            .upstreamStatus(599, retryAfter: nil),
        ] as [ProductsFailure])
    func failing(failure: ProductsFailure) {
        #expect(UpstreamVerdict(failure) == .failing(failure))
    }

    @Test(
        "an upstream that answered works, whatever its answer is worth",
        arguments: [
            nil, .upstreamStatus(404, retryAfter: nil), .upstreamStatus(401, retryAfter: nil),
            .upstreamStatus(301, retryAfter: nil), .malformed(detail: ""), .tooManyRedirects(limit: 5),
            .tooLarge(limit: 1), .refused(.empty(count: 0, minimum: 1)), .refused(.shrunken(from: 9, to: 1)),
        ] as [ProductsFailure?])
    func works(failure: ProductsFailure?) {
        #expect(UpstreamVerdict(failure) == .works)
    }

    @Test(
        "what was not asked, or not waited for, says nothing",
        arguments: [
            .unreachable(.offline, detail: ""), .notStored, .storeFailed(detail: ""),
            .unavailable(reason: "", since: nil, retryAfter: .zero), .circuitOpen(retryAfter: .zero),
            .overloaded(limit: 1), .cancelled,
        ] as [ProductsFailure])
    func unknown(failure: ProductsFailure) {
        #expect(UpstreamVerdict(failure) == .unknown)
    }
}
