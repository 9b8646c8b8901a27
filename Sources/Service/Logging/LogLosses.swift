/// How many log lines were lost that nobody was told of, and when somebody was told last.
struct LogLosses: Sendable {
    /// A reader that keeps falling behind is not to be kept busy with being told so.
    static let pause = Duration.seconds(10)

    private var untold = 0
    private var toldAt: ContinuousClock.Instant?

    mutating func note(_ count: Int) {
        untold += count
    }

    /// How many there are to tell of now; they count as told then. Nil when there is none, or it was told just before.
    mutating func tellable(at now: ContinuousClock.Instant, atOnce: Bool) -> Int? {
        if let toldAt, !atOnce, now - toldAt < Self.pause { return nil }
        guard untold > 0 else { return nil }
        defer { untold = 0 }
        toldAt = now
        return untold
    }
}
