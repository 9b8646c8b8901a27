import Testing

/// Waits for a fact that another thread brings about, as long as it takes but not for ever.
func eventually(
    _ fact: @Sendable () async -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async {
    let end = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < end {
        if await fact() { return }
        await Task.yield()
    }
    Issue.record("it did not come true within 20 seconds", sourceLocation: sourceLocation)
}
