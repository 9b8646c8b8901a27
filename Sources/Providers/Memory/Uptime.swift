/// Reads a clock as the time since it was first looked at, so that a clock of any type can be stored and compared.
struct Uptime: Sendable {
    private let read: @Sendable () -> Duration

    init<C: Clock>(of clock: C) where C.Duration == Duration {
        let start = clock.now
        read = { start.duration(to: clock.now) }
    }

    /// The time since this value was made.
    var now: Duration { read() }
}
