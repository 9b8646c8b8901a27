internal import Products
internal import ProvidersTestSupport
internal import Testing

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct FallbackProductsProviderStrategyTests {
    private static let failures: [(FailureClass?, ProductsFailure)] = [
        (.unreachable, .unreachable(.refused, detail: "x")), (.timeout, .timedOut(after: nil)),
        (.status, .upstreamStatus(500, retryAfter: nil)), (.malformed, .malformed(detail: "x")),
        (.malformed, .tooManyRedirects(limit: 5)), (.malformed, .tooLarge(limit: 1)),
        (.refused, .refused(.empty(count: 0, minimum: 1))), (.unavailable, .notStored),
        (.unavailable, .storeFailed(detail: "x")),
        (.unavailable, .unavailable(reason: "x", since: nil, retryAfter: .seconds(1))), (nil, .cancelled),
    ]

    private let primary = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot("Primary")) }
    private let secondary = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot("Secondary")) }

    @Test func `while the primary answers the secondary is not asked`() async throws {
        let answer = try await FallbackProductsProviderStrategy(primary: primary, secondary: secondary).ask()
        #expect(answer.snapshot.revision == makeCatalogue("Primary").revision)
        #expect(answer.steps == [])
        #expect(secondary.calls == 0)
    }

    @Test(arguments: failures)
    func `every failure falls back, and the trail says which; a cancellation does not`(
        failureClass: FailureClass?, failure: ProductsFailure
    ) async throws {
        #expect(FailureClass(failure) == failureClass)
        primary.fails(failure)
        let provider = FallbackProductsProviderStrategy(primary: primary, secondary: secondary)
        if failureClass == nil {
            #expect(try await provider.failure() == failure)
            #expect(secondary.calls == 0)
        } else {
            let answer = try await provider.ask()
            #expect(answer.snapshot.revision == makeCatalogue("Secondary").revision)
            #expect(answer.failure == failure)
            #expect(answer.steps == ["fallback: \(failure.token)"])
        }
    }

    @Test(arguments: failures)
    func `only the chosen classes fall back`(failureClass: FailureClass?, failure: ProductsFailure) async throws {
        primary.fails(failure)
        let provider = FallbackProductsProviderStrategy(
            primary: primary, secondary: secondary, on: [.timeout, .status])
        let isCaught = failureClass == .timeout || failureClass == .status
        #expect(try await provider.failure() == (isCaught ? nil : failure))
    }

    @Test func `when both fail, the cause is told`() async throws {
        primary.fails(.timedOut(after: .seconds(2)))
        secondary.fails(.notStored)
        let provider = FallbackProductsProviderStrategy(primary: primary, secondary: secondary)
        #expect(try await provider.failure() == .timedOut(after: .seconds(2)))
    }

    @Test func `an error that is none of the graph's own counts as a broken answer`() async throws {
        struct Odd: Error {}
        primary.does { throw Odd() }
        let provider = FallbackProductsProviderStrategy(primary: primary, secondary: secondary)
        #expect(try await provider.ask().failure == .malformed(detail: "Odd()"))
        secondary.fails(.notStored)
        #expect(try await provider.failure() == .malformed(detail: "Odd()"))
    }

    @Test func `a caller that is cancelled is not sent to the secondary`() async throws {
        primary.hold()
        let provider = FallbackProductsProviderStrategy(primary: primary, secondary: secondary)
        let caller = Task { try await provider.ask() }
        await primary.wait(parked: 1)
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(secondary.calls == 0)
    }
}
