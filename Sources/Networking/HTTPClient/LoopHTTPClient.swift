internal import CEventShim
internal import EventLoop
internal import Locks

/// The share of an `HTTPClient` that lives on one loop: its libcurl multi handle, made when it is first needed.
///
/// Everything but the hand-over happens on the loop's thread, in the order of the hand-over.
@safe
final class LoopHTTPClient: @unchecked Sendable {
    private let loop: EventLoop
    /// Loop thread.
    private var client: OpaquePointer?
    /// Held over each hand-over, so that no exchange is started after the shutdown that would have ended it.
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

    /// Before or after the start, or after the end: the exchange knows.
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
