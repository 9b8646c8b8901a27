import Fleet

/// Counts what a fleet costs its storage, with the sizes of the wire for 10,000 products: a blob of 300 KB, keys of
/// about 45 bytes.
struct StorageCosts {
    static let blob = 300_000
    static let pointer = 420

    /// Commands of the engine. A script counts as one.
    var commands = 0
    var bytesIn = 0
    var bytesOut = 0
    var blobsRead = 0
    /// Messages to one member each.
    var announcements = 0

    mutating func count(_ command: StorageCommand, _ reply: StorageReply) {
        let (number, sent, received): (Int, Int, Int) =
            switch (command, reply) {
            // HMGET current, GETRANGE pin, GETRANGE epoch, HMGET attempt, GETRANGE accepted, TIME
            case (.read, _): (6, 520, 480)
            case (.acquire, .granted), (.acquire, .newer): (1, 480, 520)
            case (.acquire, _): (1, 480, 60)
            case (.commit, _), (.confirm, _): (1, 640, Self.pointer)
            case (.release, _), (.reportDamage, _), (.renew, _), (.accept, _): (1, 300, 30)
            case (.readBlob, _): (1, 120, Self.blob)
            case (.writeBlob, _): (1, Self.blob, 5)
            case (.pin, _): (1, 800, 30)
            }
        commands += number
        bytesIn += sent
        bytesOut += received
        if case .readBlob = command { blobsRead += 1 }
    }

    /// A quiet fleet of this size: the costs of an interval of 30 seconds without a change, and of one with one.
    static func costs(members: Int) -> (rest: StorageCosts, change: StorageCosts, intervals: Int) {
        let intervals = members > 100 ? 2 : 4
        func run(isChanging: Bool) -> StorageCosts {
            var plan = SimulationPlan(seed: 7)
            plan.isSlow = false
            (plan.members, plan.faults, plan.losses, plan.delays, plan.skew) = (members, [], 0, 0, 0)
            (plan.interval, plan.poll, plan.turnLength) = (30_000, 10_000, 30_000)
            let fleet = FleetSimulation(plan: plan)
            fleet.run(until: 60_000)
            fleet.costs = StorageCosts()
            for interval in 1...intervals {
                if isChanging {
                    fleet.upstreamNumber = interval * 7 + 1
                    fleet.oracle.highest = fleet.upstreamNumber
                }
                fleet.run(until: 60_000 + interval * 30_000)
            }
            precondition(fleet.violations.isEmpty, "\(fleet.violations)")
            return fleet.costs
        }
        return (run(isChanging: false), run(isChanging: true), intervals)
    }

    /// A line for each size of fleet.
    static var table: [String] {
        [3, 50, 1_000].map { members in
            let (rest, change, intervals) = costs(members: members)
            let seconds = intervals * 30
            // Each subscription is asked for a sign of life every 5 s.
            let pings = members * 10 / 5
            let out = (rest.bytesOut + rest.announcements * (pointer + 60)) / seconds
            let extraOut = change.bytesOut - rest.bytesOut + (change.announcements - rest.announcements) * pointer
            return """
                \(members): at rest \((rest.commands * 10 / seconds + pings + 5) / 10) commands/s, \
                \(rest.bytesIn / seconds) B/s in, \(out) B/s out, \
                \(rest.announcements / intervals) messages an interval; \
                per change \((change.commands - rest.commands) / intervals) more commands, \
                \(change.blobsRead / intervals) blobs = \(extraOut / intervals) B out
                """
        }
    }
}
