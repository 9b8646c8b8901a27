import Dispatch

/// Runs blocking code on a thread of its own, off the pool that the code under test needs.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "client").async { continuation.resume(with: Result(catching: body)) }
    }
}
