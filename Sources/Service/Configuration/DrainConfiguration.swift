public import Configuration

/// The config file's `http.drain:`: how long the service goes on after it was told to stop.
public struct DrainConfiguration: Sendable {
    /// How long it still serves, not ready, so that load balancers notice.
    public let delay: Duration
    /// When it exits at the latest, counted from the signal.
    public let deadline: Duration

    /// The section's keys.
    public static let fields: [FieldSpec] = [
        .defaulted("delay", .duration, "5s", "how long it still serves after SIGTERM, while /readyz says 503"),
        .defaulted("deadline", .duration, "20s", "when it exits at the latest after SIGTERM"),
    ]

    /// Reads the section.
    public init(_ reader: FieldReader) {
        delay = reader.duration("delay")
        deadline = reader.duration("deadline")
        if reader.isSound, delay >= deadline {
            reader.report(
                .error, at: "delay", "the drain delay leaves nothing of the deadline; make \"deadline\" the longer one")
        }
    }
}
