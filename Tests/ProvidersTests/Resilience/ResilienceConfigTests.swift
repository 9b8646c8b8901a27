internal import Configuration
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct ResilienceConfigTests {
    @Test func `a fault that fails needs no upstream`() async throws {
        let (provider, _) = try makeProvider("{ type: fault, error: dns }")
        #expect(try await provider.failure()?.token == "dns")
    }

    @Test func `all of them in a row are one graph`() async throws {
        let yaml = """
            { type: concurrency_limit, max: 2, queue: 2, upstream: { type: circuit_breaker, failures: 2, \
            upstream: { type: retry, attempts: 3, base: 0s, upstream: { type: timeout, after: 1s, \
            upstream: { type: fault, error: status-503 } } } } }
            """
        let (provider, _) = try makeProvider(yaml)
        let tokens = [
            try await provider.failure()?.token, try await provider.failure()?.token,
            try await provider.failure()?.token,
        ]
        #expect(tokens == ["status-503", "status-503", "circuit-open"])
    }

    @Test func `a breaker that did not change stays open over a reload, and one that did begins anew`() async throws {
        let yaml = "{ type: circuit_breaker, failures: 1, upstream: { type: fault, error: refused } }"
        let (first, assembly) = try makeProvider(yaml)
        _ = try await first.failure()
        let (second, _) = try makeProvider(yaml, replacing: assembly)
        #expect(try await second.failure()?.token == "circuit-open")
        let (other, _) = try makeProvider(
            "{ type: circuit_breaker, failures: 2, upstream: { type: fault, error: refused } }",
            replacing: assembly)
        #expect(try await other.failure()?.token == "refused")
    }

    @Test
    func `a breaker over another upstream begins anew, and so it does when a shared one below it has changed`()
        async throws
    {
        let breaker = "{ type: circuit_breaker, failures: 1, upstream: { type: retry, attempts: 1, upstream: q } }"
        let (first, assembly) = try makeProvider(
            breaker + "\n  q: { type: fault, error: refused }")
        _ = try await first.failure()
        #expect(try await first.failure()?.token == "circuit-open")
        let (second, _) = try makeProvider(
            breaker + "\n  q: { type: fault, error: dns }", replacing: assembly)
        #expect(try await second.failure()?.token == "dns")
    }

    @Test func `a limit that did not change counts who is under way in the graph before`() async throws {
        let yaml = "{ type: concurrency_limit, max: 1, upstream: { type: fault, delay: 7d, error: refused } }"
        let (first, assembly) = try makeProvider(yaml)
        let caller = Task.immediate { try await first.failure() }
        let (second, _) = try makeProvider(yaml, replacing: assembly)
        #expect(try await second.failure() == .overloaded(limit: 1))
        caller.cancel()
        _ = await caller.result
    }
}
