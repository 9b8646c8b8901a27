internal import Configuration

/// The fields that all polling monitors share, and how they become a monitor.
struct PollingSettings: Sendable {
    static let fields: [FieldSpec] = [
        .defaulted("interval", .duration, "5s", "Between two probes."),
        .defaulted("timeout", .duration, "1s", "A probe that takes longer has failed."),
        .defaulted("fall", .integer, "2", "Failures in a row, of probes and real requests, that mean unreachable."),
        .defaulted("rise", .integer, "2", "Successes in a row that mean reachable again."),
    ]

    let name: String
    let interval: Duration
    let timeout: Duration
    let fall: Int
    let rise: Int

    init(_ reader: FieldReader) {
        name = reader.name
        // Shorter ones would be a load test of the upstream.
        interval = reader.duration("interval", in: .milliseconds(10)...)
        timeout = reader.duration("timeout", in: .milliseconds(1)...)
        fall = reader.integer("fall", in: 1...)
        rise = reader.integer("rise", in: 1...)
    }

    /// A monitor that polls in the background of the assembly.
    func monitor(_ probe: some ReachabilityProbe, in assembly: Assembly) -> PollingReachabilityMonitor {
        let environment = assembly.resource(MonitorEnvironment.self)
        let monitor = PollingReachabilityMonitor(
            probe: probe, interval: interval, fall: fall, rise: rise, clock: environment.clock,
            onChange: { [name] in environment.onChange(name, $0) })
        assembly.background("monitor \(name)") { await monitor.run() }
        return monitor
    }
}
