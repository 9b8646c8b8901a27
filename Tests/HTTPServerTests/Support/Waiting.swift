import Glibc
import Concurrency
import TestSupport

/// Runs blocking code on a thread of its own, off the pool that the code under test needs.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await BackgroundThread.run(body)
}

/// Runs blocking code with a client of its own on a thread of its own.
func withClient<Value: Sendable>(
    _ port: UInt16, receiveBuffer: Int32? = nil, tls offer: TLSOffer? = nil,
    _ body: @escaping @Sendable (RawClient) throws -> Value
) async throws -> Value {
    try await onThread { try body(try RawClient(port: port, receiveBuffer: receiveBuffer, tls: offer)) }
}

/// Lets other threads run between two looks at a fact.
enum BlockingPause {
    static func oneMillisecond() throws {
        usleep(1000)
    }
}

/// Holds handlers until a test lets them go.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrived = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// How many have come here, let through or not.
    var arrived: Int { state.withLock { $0.arrived } }

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                state.arrived += 1
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
