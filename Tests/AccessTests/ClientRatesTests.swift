import CEventShim
import Testing

/// The buckets, by the clock of the test, in nanoseconds.
@Suite struct ClientRatesTests {
    private static let second: UInt64 = 1_000_000_000

    /// Buckets of a burst, filled at so many tokens a second.
    @safe private final class Rates {
        private let shim: OpaquePointer

        init(_ rate: UInt64, burst: UInt32) throws {
            unsafe shim = try #require(unsafe larder_rates_new(second / rate, burst))
        }

        deinit { unsafe larder_rates_free(shim) }

        func take(_ client: UInt64, _ now: UInt64) -> UInt64 { unsafe larder_rates_take_at(shim, client, now) }
    }

    @Test func `a bucket has its burst, and then a token for each interval`() throws {
        let rates = try Rates(10, burst: 5)
        let now = 5 * Self.second
        for _ in 0..<5 { #expect(rates.take(1, now) == 0) }
        #expect(rates.take(1, now) == Self.second / 10)
        #expect(rates.take(2, now) == 0)
        #expect(rates.take(1, now + Self.second / 20) == Self.second / 20)
        #expect(rates.take(1, now + Self.second / 10) == 0)
        #expect(rates.take(1, now + Self.second / 10) == Self.second / 10)
        for _ in 0..<5 { #expect(rates.take(1, now + 10 * Self.second) == 0) }
        #expect(rates.take(1, now + 10 * Self.second) > 0)
    }

    @Test func `a refused request takes nothing`() throws {
        let rates = try Rates(1, burst: 1)
        #expect(rates.take(7, Self.second) == 0)
        for _ in 0..<100 { #expect(rates.take(7, Self.second) == Self.second) }
        #expect(rates.take(7, 2 * Self.second) == 0)
    }

    /// Ten minutes in which a million addresses come, fifty of which send twice what they may, and fifty just below it.
    @Test func `among a million addresses none is above the limit, and none below it is refused`() throws {
        let rates = try Rates(50, burst: 100)
        let millisecond = Self.second / 1000
        var admitted = [UInt64: Int]()
        var refusedBelow = 0
        var others: UInt64 = 0
        for tick in UInt64(0)..<600_000 {
            let now = (1000 + tick) * millisecond
            if tick % 10 == 0 {
                for client in UInt64(0)..<50 where rates.take(client, now) == 0 { admitted[client, default: 0] += 1 }
            }
            if tick % 21 == 0 {
                for client in UInt64(50)..<100 where rates.take(client, now) != 0 { refusedBelow += 1 }
            }
            for _ in 0..<2 where others < 1_000_000 {
                others += 1
                #expect(rates.take(1 << 32 | others << 8, now) == 0)
            }
        }
        #expect(refusedBelow == 0)
        #expect(admitted.count == 50)
        for (client, count) in admitted { #expect((30_000...30_100).contains(count), "client \(client)") }
    }

    @Test func `loops that share a bucket do not take more than it has`() async throws {
        let rates = unsafe Shim(try #require(unsafe larder_rates_new(Self.second, 1000)))
        let taken = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { (0..<1000).count { _ in rates.take() } } }
            return await group.reduce(0, +)
        }
        #expect(taken == 1000)
    }

    @safe private final class Shim: @unchecked Sendable {
        private let shim: OpaquePointer
        init(_ shim: OpaquePointer) { unsafe self.shim = unsafe shim }
        deinit { unsafe larder_rates_free(shim) }
        func take() -> Bool { unsafe larder_rates_take_at(shim, 1, 1_000_000_000_000) == 0 }
    }
}
