internal import CEventShim

/// Token buckets of any number of clients, in memory of a fixed size. Shared by loops.
@safe
package final class ClientRates: @unchecked Sendable {
    private let shim: OpaquePointer

    /// Makes full buckets; nil when there is no memory.
    ///
    /// - Parameters:
    ///   - pause: the time after which a bucket gets a token.
    ///   - burst: the tokens of a full bucket, at least one.
    package init?(pause: Duration, burst: Int) {
        let interval = UInt64(clamping: Int64(pause / .nanoseconds(1)))
        guard let made = unsafe larder_rates_new(interval, UInt32(clamping: burst)) else { return nil }
        unsafe shim = made
    }

    deinit { unsafe larder_rates_free(shim) }

    /// Takes a token of a client. Returns the time until there is one if there is none.
    func take(_ client: UInt64) -> Duration? {
        let wait = unsafe larder_rates_take(shim, client)
        return wait == 0 ? nil : .nanoseconds(Int64(clamping: wait))
    }
}
