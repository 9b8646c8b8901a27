internal import Dispatch
internal import Locks

/// A wait for asynchronous work on a thread that may block, and for a limited time.
enum BlockingWait {
    /// - Returns: what the work gave; nil when it has not in time, and then it goes on alone.
    static func value<Value: Sendable>(
        within limit: Duration, of work: @escaping @Sendable () async -> Value
    ) -> Value? {
        let result = Result<Value>()
        Task.detached { result.put(await work()) }
        return result.take(within: limit)
    }

    private final class Result<Value: Sendable>: Sendable {
        private let value = Mutex<Value?>(nil)
        private let isThere = DispatchSemaphore(value: 0)

        func put(_ value: Value) {
            self.value.withLock { $0 = value }
            isThere.signal()
        }

        func take(within limit: Duration) -> Value? {
            _ = isThere.wait(timeout: .now() + .milliseconds(Int(limit / .milliseconds(1))))
            return value.withLock { $0 }
        }
    }
}
