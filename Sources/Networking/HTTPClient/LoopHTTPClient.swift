internal import CEventShim
internal import Concurrency
internal import EventLoop

/// The part of an `HTTPClient` on one loop: a libcurl multi handle, made by the first exchange.
///
/// Exchanges are passed to the loop's thread and start there in that order.
@safe
final class LoopHTTPClient: @unchecked Sendable {
    let loop: EventLoop
    /// Loop thread.
    private var client: OpaquePointer?
    /// Locked during each hand-over, so that no exchange starts after the shutdown.
    private let isShutDown = Mutex(false)

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    var isCurrent: Bool { loop.isCurrent }

    /// Resumes the continuation once, whatever happens.
    func start(_ exchange: HTTPExchange, _ continuation: CheckedContinuation<HTTPClientResponse, any Error>) {
        let isHandedOver = isShutDown.withLock { isShutDown in
            guard !isShutDown else { return false }
            loop.execute { [self] in unsafe exchange.start(on: shimClient(), continuation) }
            return true
        }
        guard !isHandedOver else { return }
        continuation.resume(throwing: exchange.shutDownError)
    }

    /// May come before the start or after the end of the exchange.
    func cancel(_ exchange: HTTPExchange) {
        loop.execute { exchange.cancel() }
    }

    func shutdown() async {
        let isFirst = isShutDown.withLock { isShutDown in
            defer { isShutDown = true }
            return !isShutDown
        }
        guard isFirst else { return }
        await loop.run { [self] in
            guard let client = unsafe client else { return }
            unsafe larder_client_free(client)
            unsafe self.client = nil
        }
    }

    private func shimClient() -> OpaquePointer? {
        if unsafe client == nil { unsafe client = larder_client_new(loop.handle) }
        return unsafe client
    }
}

extension Duration {
    /// Rounded up, and at least one: libcurl takes 0 for "no limit".
    var wholeMilliseconds: Int {
        guard self > .zero else { return 1 }
        let (seconds, attoseconds) = components
        let perMillisecond: Int64 = 1_000_000_000_000_000
        let thousandth = (attoseconds + perMillisecond - 1) / perMillisecond
        // libcurl keeps timeouts in 32 bits on some platforms; 24 days are as good as no limit.
        return Int(min(seconds, 2_000_000) * 1000 + thousandth)
    }
}
