package import Concurrency
package import Configuration
internal import Health
package import Logging
package import Networking

/// The `monitors:` section.
package enum MonitorFamily: ComponentFamily {
    package typealias Instance = any ReachabilityMonitor
    package static let noun = "monitor"
    package static let section = "monitors"

    package static let specs: [ComponentSpec<MonitorFamily>] = [
        TCPReachabilityProbe.spec, HTTPReachabilityProbe.spec, FixedReachabilityMonitor.always,
        FixedReachabilityMonitor.never,
    ]

    package static func instance(
        of outline: ComponentOutline, in assembly: Assembly, _ make: () throws -> any ReachabilityMonitor
    ) throws -> any ReachabilityMonitor { try make() }
}

/// The clocks and observer of monitors made from a config; a resource of the assembly.
package struct MonitorEnvironment: Sendable {
    /// Dates verdicts.
    let wallClock: WallClock
    /// Takes a line of each verdict.
    let logger: Logger?
    /// Times the pauses between probes.
    let clock: any Clock<Duration>
    /// Receives a monitor's name and new verdict at each change, in order per monitor, on the thread that caused it. It
    /// must return quickly.
    let onChange: @Sendable (_ monitor: String, _ isReachable: Bool) -> Void

    package init(
        clock: any Clock<Duration> = ContinuousClock(), wallClock: WallClock = .system, logger: Logger? = nil,
        onChange: @escaping @Sendable (_ monitor: String, _ isReachable: Bool) -> Void = { _, _ in }
    ) {
        (self.wallClock, self.logger) = (wallClock, logger)
        self.clock = clock
        self.onChange = onChange
    }
}

extension FixedReachabilityMonitor {
    static let always = ComponentSpec<MonitorFamily>(
        type: "always", summary: "never doubts the upstream", fields: [], example: "{ type: always }",
        plan: { _ in { _ in FixedReachabilityMonitor(isReachable: true) } })

    static let never = ComponentSpec<MonitorFamily>(
        type: "never", summary: "takes the upstream for gone", fields: [], example: "{ type: never }",
        plan: { _ in { _ in FixedReachabilityMonitor(isReachable: false) } })
}

/// The settings that all polling monitors share.
struct PollingSettings: Sendable {
    static let fields: [FieldSpec] = [
        .defaulted("interval", .duration, "5s", "Between two probes."),
        .defaulted("timeout", .duration, "1s", "A probe that takes longer has failed."),
        .defaulted(
            "fall", .integer, "2",
            "Failures in a row, of probes and of requests that cannot connect, that mean unreachable."),
        .defaulted("rise", .integer, "2", "Successes in a row that mean reachable again."),
    ]

    let name: String
    let interval: Duration
    let timeout: Duration
    let fall: Int
    let rise: Int

    init(_ reader: FieldReader) {
        name = reader.name
        // A shorter one would be a load test of the upstream.
        interval = reader.duration("interval", in: .milliseconds(10)...)
        timeout = reader.duration("timeout", in: .milliseconds(1)...)
        fall = reader.integer("fall", in: 1...)
        rise = reader.integer("rise", in: 1...)
    }

    /// Makes a monitor that polls in the background of the assembly.
    func monitor(_ probe: some ReachabilityProbe, in assembly: Assembly) -> PollingReachabilityMonitor {
        let environment = assembly.resource(MonitorEnvironment.self)
        var logger = environment.logger
        logger?[metadataKey: "monitor"] = "\(name)"
        let monitor = PollingReachabilityMonitor(
            probe: probe, interval: interval, fall: fall, rise: rise, clock: environment.clock,
            book: TroubleBook(wallClock: environment.wallClock, logger: logger),
            onChange: { [name] in environment.onChange(name, $0) })
        assembly.background("monitor \(name)") { await monitor.run() }
        return monitor
    }
}
