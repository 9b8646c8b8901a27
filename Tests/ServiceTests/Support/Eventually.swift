import Testing

/// Asks the service until a fact is seen from outside, as long as it takes but not for ever.
func eventually(
    _ fact: () async throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < end {
        if try await fact() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("it did not come true within 20 seconds", sourceLocation: sourceLocation)
}
