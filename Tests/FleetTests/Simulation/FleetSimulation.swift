import Fleet

/// A fleet, its storage and its upstream in virtual time: the same seed gives the same history.
final class FleetSimulation {
    enum Happening {
        case wake(Int)
        case deliver(Int, incarnation: Int, FleetMember.Event)
        /// A reply or a failure of one connection.
        case answer(Int, connection: Int, FleetMember.Event)
        case perform(Int, connection: Int, Int, StorageCommand, [UInt8]?)
        case timeout(Int, connection: Int, Int)
        case announce(Int, connection: Int, Announcement)
        case connect(Int)
        case disconnect(Int, connection: Int)
        case resume(Int)
        case memory(Int)
        case readUpstream(Int, incarnation: Int, Int, Claim?, rest: Int)
        case weigh(Int, incarnation: Int, Int, revision: String, CataloguePointer)
        case fault
        case mend(SimulationPlan.Fault, Int)
        case snapshot
    }

    static let wallClock = 1_700_000_000_000

    let plan: SimulationPlan
    var dice: Dice
    var now = 0
    var queue = EventQueue<Happening>()
    var members: [SimulatedMember] = []
    var storage = StorageModel()
    var snapshots: [(storage: StorageModel, oracle: Oracle.Turn?)] = []
    var isStorageDown = false
    var isStorageFull = false
    var hungUntil = 0
    var upstreamNumber = 1
    var isUpstreamDown = false
    var isHealed = false
    var asks = 0
    var pinVersion = 0
    var oracle = Oracle()
    /// The members with a connection.
    var linked = 0
    var costs = StorageCosts()
    /// The notes of the members, counted.
    var notes: [FleetNote: Int] = [:]

    /// The lines of a trace, if one is wanted.
    let isTraced: Bool
    var trace: [String] = []
    var violations: [String] = []

    init(plan: SimulationPlan, isTraced: Bool = false) {
        self.plan = plan
        self.isTraced = isTraced
        dice = Dice(seed: plan.seed &+ 1_000_003)
        storage.breakage = plan.breakage
        for index in 0..<plan.members {
            let skew = dice.roll(-plan.skew, plan.skew)
            members.append(SimulatedMember(machine: machine(index, skew: skew), index: index))
            members[index].skew = skew
            queue.insert(.connect(index), at: dice.roll(0, 300))
            queue.insert(.memory(index), at: dice.roll(0, 1_500))
        }
        if !plan.faults.isEmpty {
            queue.insert(.fault, at: dice.roll(0, plan.pace * 2))
        }
        if plan.faults.contains(.failover) {
            queue.insert(.snapshot, at: 500)
        }
    }

    func machine(_ index: Int, skew: Int, seed: UInt64? = nil) -> FleetMember {
        var settings = FleetMember.Settings(name: "m\(index)", seed: seed ?? dice.next())
        settings.turnLength = .milliseconds(plan.turnLength)
        settings.poll = .milliseconds(plan.poll)
        settings.whenUnavailable = plan.isHolding ? .hold : .refreshAlone
        settings.wallClock = Self.wallClock + skew
        return FleetMember(settings: settings)
    }

    func log(_ line: @autoclosure () -> String) {
        if isTraced {
            trace.append("\(now) \(line())")
        }
    }

    func violate(_ line: String) {
        log("VIOLATION \(line)")
        violations.append("\(now) \(line)")
    }

    /// Runs the history, heals it, and returns what broke.
    func run() -> [String] {
        run(until: plan.length)
        heal()
        run(until: now + plan.settling)
        if !agreement().isEmpty {
            // A refresh may be on its way just now.
            run(until: now + 2_000)
        }
        violations += agreement()
        if !plan.endsWithoutUpstream, plan.seed % 8 == 0 {
            run(until: now + 45_000)
            violations += freshness()
        }
        return violations
    }

    func run(until end: Int) {
        while let time = queue.nextTime, time <= end, violations.isEmpty {
            let (time, event) = queue.removeFirst()
            now = time
            happen(event)
        }
        now = end
    }

    private func happen(_ event: Happening) {
        switch event {
        case .wake(let index):
            guard members[index].scheduledWake <= now else { return }
            members[index].scheduledWake = .max
            give(.wake, to: index)
        case .deliver(let index, let incarnation, let event):
            if members[index].incarnation == incarnation { give(event, to: index) }
        case .answer(let index, let connection, let event):
            if members[index].connection == connection { give(event, to: index) }
        case .perform(let index, let connection, let id, let command, let blob):
            perform(index, connection, id, command, blob)
        case .timeout(let index, let connection, let id): timeOut(index, connection, id)
        case .announce(let index, let connection, let announcement):
            guard members[index].connection == connection, !members[index].isCut, !members[index].isDeaf else { return }
            give(.announced(announcement), to: index)
        case .connect(let index): connect(index)
        case .disconnect(let index, let connection):
            if members[index].connection == connection { disconnect(index) }
        case .resume(let index): resume(index)
        case .memory(let index): refreshMemory(index)
        case .readUpstream(let index, let incarnation, let id, let claim, let rest):
            readUpstream(index, incarnation, id, claim, rest)
        case .weigh(let index, let incarnation, let id, let revision, let pointer):
            weigh(index, incarnation, id, revision, pointer)
        case .fault:
            guard !isHealed else { return }
            strike()
            queue.insert(.fault, at: now + dice.roll(1, plan.pace * 2))
        case .mend(let fault, let index): mend(fault, index)
        case .snapshot:
            guard !isHealed else { return }
            snapshots.append((storage, oracle.turn))
            if snapshots.count > 6 { snapshots.removeFirst() }
            queue.insert(.snapshot, at: now + 500)
        }
    }
}
