internal import Concurrency
internal import Dispatch

/// A gate for threads: while it is closed, who comes waits before it.
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

    /// Lets nobody through from now on.
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
