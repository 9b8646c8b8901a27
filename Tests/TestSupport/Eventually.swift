/// Asks until a fact is seen from outside, as long as it takes but not for ever.
///
/// - Throws: `NeverTrue` after 20 seconds.
public func eventually(
    _ fact: () async throws -> Bool, fileID: String = #fileID, line: Int = #line
) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < end {
        if try await fact() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    throw NeverTrue(place: "\(fileID):\(line)")
}

/// A fact was not seen within 20 seconds.
public struct NeverTrue: Error, CustomStringConvertible {
    let place: String

    /// Names the line that waited.
    public var description: String { "\(place): it did not come true within 20 seconds" }
}

/// Gives way to other tasks until a fact is true or the task is cancelled, for instance by the time limit of its suite.
///
/// For facts that come true on other threads without a call to wait on, and soon.
public func yieldUntil(
    isolation: isolated (any Actor)? = #isolation, _ fact: () async throws -> Bool
) async rethrows {
    while try await !fact(), !Task.isCancelled { await Task.yield() }
}

/// Runs a body and then its cleanup, even if the body throws.
package func attempt<Value>(
    _ body: () async throws -> Value, finally cleanUp: () async throws -> Void
) async throws -> Value {
    let outcome: Result<Value, any Error>
    do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
    try await cleanUp()
    return try outcome.get()
}
