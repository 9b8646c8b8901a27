/// Runs work that may take over a millisecond (decoding, checking, a disk) away from the event loop it was asked on,
/// and comes back to it.
func offLoop<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(globalConcurrentExecutor) { try await work() }
}
