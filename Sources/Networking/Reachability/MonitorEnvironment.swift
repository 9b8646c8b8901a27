/// What monitors made from a config need beside the HTTP client; a resource of the assembly.
public struct MonitorEnvironment: Sendable {
    /// Times the pauses between probes.
    public let clock: any Clock<Duration>
    /// Gets a monitor's name and its new verdict at each change, in order per monitor, on the thread that caused it. It
    /// must return quickly.
    public let onChange: @Sendable (_ monitor: String, _ isReachable: Bool) -> Void

    /// Creates an environment.
    public init(
        clock: any Clock<Duration> = ContinuousClock(),
        onChange: @escaping @Sendable (_ monitor: String, _ isReachable: Bool) -> Void
    ) {
        self.clock = clock
        self.onChange = onChange
    }
}
