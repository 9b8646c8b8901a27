internal import MetricsTestKit
internal import TestSupport
internal import Testing

@testable internal import Networking

@Suite(.timeLimit(.minutes(1)))
struct MeteredHTTPSessionTests {
    private func counts(of metrics: TestMetrics) -> [String: Int64] {
        metrics.counters(label: "larder_upstream_requests_total").reduce(into: [:]) { counts, counter in
            let dimensions = counter.dimensions.map { "\($0.0)=\($0.1)" }.joined(separator: " ")
            counts[dimensions] = counter.totalValue
        }
    }

    private func collection(_ client: HTTPClient, _ url: String, _ metrics: TestMetrics) -> FetchedCollection {
        makeCollection(MeteredHTTPSession(client, provider: "shop", factory: metrics), url)
    }

    @Test(arguments: [
        ("200 OK", "ok"), ("204 No Content", "ok"), ("304 Not Modified", "ok"), ("404 Not Found", "status-404"),
        ("503 Service Unavailable", "status-503"),
    ])
    func `a response counts by its status, whatever the body`(status: String, outcome: String) async throws {
        let metrics = TestMetrics()
        try await withClient(against: answering { $0.respond(status: status, body: "") }) { client, upstream in
            let collection = collection(client, upstream.url, metrics)
            for _ in 0..<2 { _ = try await collection.fetch() }
            #expect(counts(of: metrics) == ["provider=shop outcome=\(outcome)": 2])
            let timer = try metrics.expectTimer("larder_upstream_request_duration_seconds", [("provider", "shop")])
            #expect(timer.values.count == 2)
            #expect(timer.values.allSatisfy { $0 > 0 })
        }
    }

    @Test func `a request that fails counts by what went wrong, and is timed too`() async throws {
        let metrics = TestMetrics()
        try await withClient(against: answering { $0.respond() }) { client, _ in
            let collection = collection(client, "http://127.0.0.1:\(try FreePort.pick())", metrics)
            await #expect(throws: HTTPClientError.self) { _ = try await collection.fetch() }
            #expect(counts(of: metrics) == ["provider=shop outcome=refused": 1])
            #expect(
                try metrics.expectTimer(
                    "larder_upstream_request_duration_seconds", [("provider", "shop")]
                ).values.count == 1)
        }
    }

    @Test func `a request that nobody waits for any more says nothing of the upstream`() async throws {
        let metrics = TestMetrics()
        try await withClient(against: silent) { client, upstream in
            let collection = collection(client, upstream.url, metrics)
            let task = Task { try await collection.fetch() }
            await upstream.wait(requests: 1)
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
            #expect(counts(of: metrics) == ["provider=shop outcome=cancelled": 1])
        }
    }
}
