internal import Concurrency
internal import Dispatch

/// A gate for threads. While it is closed, threads that enter it wait.
public final class Gate: Sendable {
    private let turnstile = DispatchSemaphore(value: 1)
    private let isOpen = Mutex(true)

    /// An open gate.
    public init() {}

    /// Lets everybody through from now on.
    public func open() {
        isOpen.withLock { isOpen in
            if !isOpen { turnstile.signal() }
            isOpen = true
        }
    }

    /// Makes threads that enter from now on wait.
    public func close() {
        isOpen.withLock { isOpen in
            if isOpen { turnstile.wait() }
            isOpen = false
        }
    }

    /// Waits until the gate is open. Blocks the thread.
    public func pass() {
        turnstile.wait()
        turnstile.signal()
    }
}
