import FoundationEssentials
import Testing

@testable import Products

@Suite struct FreshnessTests {
    private static let start = Date(timeIntervalSince1970: 1_000_000)

    /// Fresh for 30 seconds, and servable for 100.
    private func make(isOffline: Bool = false, mayIdle: Bool = true, isLate: Bool = false) -> Freshness {
        Freshness(
            verdict: .hit, isOffline: isOffline, freshUntil: Self.start + 30, servableUntil: Self.start + 100,
            staleWhileRevalidate: .seconds(20), staleIfError: .seconds(70), mayIdle: mayIdle, isLate: isLate)
    }

    @Test func `the state changes after the ends, and a failure counts before staleness`() {
        #expect(make().state(at: Self.start + 30) == .fresh)
        #expect(make().state(at: Self.start + 30.001) == .stale)
        #expect(make().state(at: Self.start + 100) == .stale)
        #expect(make().state(at: Self.start + 100.001) == .expired)
        #expect(make(isOffline: true).state(at: Self.start) == .offline)
        #expect(make(isOffline: true).state(at: Self.start + 100.001) == .expired)
    }

    @Test func `what only lacks requests is idle, and not overdue`() {
        #expect(!make().isIdle(at: Self.start + 30))
        #expect(make().isIdle(at: Self.start + 31))
        #expect(!make(isOffline: true).isIdle(at: Self.start + 31))
        #expect(!make(mayIdle: false).isIdle(at: Self.start + 31))
        #expect(!make().isOverdue(at: Self.start + 31))
        #expect(make(isOffline: true).isOverdue(at: Self.start + 31))
        #expect(make(mayIdle: false).isOverdue(at: Self.start + 31))
        #expect(!make(mayIdle: false).isOverdue(at: Self.start + 30))
    }

    @Test func `of two sources the one that is worse speaks for both`() {
        let (fresh, stale, offline) = (SourceStatement(nil), SourceStatement(.stale), SourceStatement(.offline))
        #expect(SourceStatement.worse(stale, offline) == offline && SourceStatement.worse(offline, stale) == offline)
        #expect(SourceStatement.worse(fresh, stale) == stale && SourceStatement.worse(nil, stale) == stale)
    }

    @Test func `what is too old can be served again only by a source that neither fails nor is late`() {
        #expect(make(isOffline: true, isLate: true).isServable(at: Self.start + 100))
        #expect(make().isServable(at: Self.start + 101))
        #expect(!make(isOffline: true).isServable(at: Self.start + 101))
        #expect(!make(isLate: true).isServable(at: Self.start + 101))
    }
}
