internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct ConcurrencyLimitProductsProviderDecoratorTests {
    private let upstream = ScriptedProvider()

    @Test(arguments: 1...50)
    func `of a thousand callers at once never more than ten are through, and all get their answer`(round: Int)
        async throws
    {
        let upstream = CrowdedProvider()
        let limit = ConcurrencyLimitProductsProviderDecorator(upstream: upstream, max: 10, queue: 1000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<1000 { group.addTask { _ = try await limit.ask() } }
            try await group.waitForAll()
        }
        #expect(upstream.counts.most <= 10)
        #expect(upstream.counts.all == 1000)
        #expect(limit.shown == "in_flight 0, waiting 0")
    }

    @Test(arguments: 1...50)
    func `where callers come, fail, wait and go away as they like, no place is lost`(round: Int) async throws {
        let upstream = CrowdedProvider()
        let limit = ConcurrencyLimitProductsProviderDecorator(upstream: upstream, max: 10, queue: 100)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<1000 {
                group.addTask {
                    let caller = Task { try await limit.ask() }
                    if index % 3 == 0 { caller.cancel() }
                    _ = await caller.result
                }
            }
        }
        #expect(upstream.counts.most <= 10)
        #expect(limit.shown == "in_flight 0, waiting 0")
    }

    @Test(arguments: [1, 3])
    func `without a queue the one too many fails at once`(max: Int) async throws {
        let limit = ConcurrencyLimitProductsProviderDecorator(upstream: upstream, max: max)
        upstream.gives(makeSnapshot())
        upstream.hold()
        let callers = (0..<max).map { _ in Task { try await limit.failure() } }
        await upstream.wait(parked: max)
        #expect(try await limit.failure() == .overloaded(limit: max))
        #expect(upstream.calls == max)
        #expect(limit.shown == "in_flight \(max), waiting 0")
        upstream.release()
        for caller in callers { #expect(try await caller.value == nil) }
        #expect(try await limit.failure() == nil)
    }

    @Test func `those in the queue get in in the order in which they came`() async throws {
        let limit = ConcurrencyLimitProductsProviderDecorator(upstream: upstream, max: 1, queue: 20)
        upstream.gives(makeSnapshot())
        upstream.hold()
        let callers = (0...20).map { number in
            Task.immediate { try await limit.products(for: ProductsRequest(headers: ["x-number": "\(number)"])) }
        }
        #expect(limit.shown == "in_flight 1, waiting 20")
        #expect(try await limit.failure() == .overloaded(limit: 1))
        upstream.release()
        for caller in callers { _ = try await caller.value }
        #expect(upstream.requests.map { $0.headers["x-number"] } == (0...20).map { "\($0)" })
    }

    @Test func `a caller that is cancelled leaves the queue, and its place in it is free`() async throws {
        let limit = ConcurrencyLimitProductsProviderDecorator(upstream: upstream, max: 1, queue: 2)
        upstream.gives(makeSnapshot())
        upstream.hold()
        let callers = (0..<3).map { number in
            Task.immediate { try await limit.products(for: ProductsRequest(headers: ["x-number": "\(number)"])) }
        }
        callers[1].cancel()
        await #expect(throws: CancellationError.self) { try await callers[1].value }
        #expect(limit.shown == "in_flight 1, waiting 1")
        let last = Task.immediate { try await limit.products(for: ProductsRequest(headers: ["x-number": "3"])) }
        #expect(limit.shown == "in_flight 1, waiting 2")
        upstream.release()
        for caller in [callers[0], callers[2], last] { _ = try await caller.value }
        #expect(upstream.requests.map { $0.headers["x-number"] } == ["0", "2", "3"])
        #expect(limit.shown == "in_flight 0, waiting 0")
    }

    @Test func `a place is free again after a failure and after a cancellation`() async throws {
        let limit = ConcurrencyLimitProductsProviderDecorator(upstream: upstream, max: 1)
        upstream.fails(.notStored)
        for _ in 0..<3 { #expect(try await limit.failure() == .notStored) }
        upstream.hold()
        let caller = Task { try await limit.ask() }
        await upstream.wait(parked: 1)
        caller.cancel()
        _ = await caller.result
        #expect(limit.shown == "in_flight 0, waiting 0")
    }
}
