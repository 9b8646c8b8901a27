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
    var snapshots: [(storage: StorageModel, oracle: Oracle.Lease?)] = []
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
    /// What the members noted, how often.
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
        settings.lease = .milliseconds(plan.lease)
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
        case .fault:
            guard !isHealed else { return }
            strike()
            queue.insert(.fault, at: now + dice.roll(1, plan.pace * 2))
        case .mend(let fault, let index): mend(fault, index)
        case .snapshot:
            guard !isHealed else { return }
            snapshots.append((storage, oracle.lease))
            if snapshots.count > 6 { snapshots.removeFirst() }
            queue.insert(.snapshot, at: now + 500)
        }
    }

    // MARK: - The network between members and storage

    private var latency: Int {
        if isHealed { return dice.roll(0, 3) }
        return dice.chance(plan.delays) ? dice.roll(50, 450) : dice.roll(0, 5)
    }

    private func connect(_ index: Int) {
        guard !members[index].isLinked else { return }
        guard !isStorageDown, !members[index].isCut, hungUntil <= now else {
            queue.insert(.connect(index), at: now + dice.roll(50, 1_000))
            return
        }
        members[index].connection += 1
        members[index].isLinked = true
        linked += 1
        (members[index].lastArrival, members[index].lastReply) = (now, now)
        give(.link(isUp: true), to: index)
    }

    func disconnect(_ index: Int) {
        guard members[index].isLinked else { return }
        members[index].isLinked = false
        linked -= 1
        members[index].connection += 1
        give(.link(isUp: false), to: index)
        queue.insert(.connect(index), at: now + dice.roll(50, 1_000))
    }

    func transmit(_ id: Int, _ command: StorageCommand, within limit: Duration, from index: Int) {
        let connection = members[index].connection
        guard members[index].isLinked else {
            queue.insert(.deliver(index, incarnation: members[index].incarnation, .failed(id, .silent)), at: now)
            return
        }
        var blob: [UInt8]?
        if case .writeBlob(let sha256) = command, let number = Int(sha256.dropFirst()) {
            blob = SimulatedCatalogue.blob(number)
        }
        if !isHealed, dice.chance(plan.losses) || members[index].isCut {
            let limit = Int(limit.components.seconds) * 1_000
            queue.insert(.timeout(index, connection: connection, id), at: now + limit)
            return
        }
        let arrival = max(members[index].lastArrival, now + latency)
        members[index].lastArrival = arrival
        queue.insert(.perform(index, connection: connection, id, command, blob), at: arrival)
    }

    private func timeOut(_ index: Int, _ connection: Int, _ id: Int) {
        guard members[index].connection == connection else { return }
        give(.failed(id, .silent), to: index)
        disconnect(index)
    }

    /// The storage carries out a command. It does so also when the connection is gone by now.
    private func perform(_ index: Int, _ connection: Int, _ id: Int, _ command: StorageCommand, _ blob: [UInt8]?) {
        if hungUntil > now {
            queue.insert(.perform(index, connection: connection, id, command, blob), at: hungUntil)
            if hungUntil > now + 1_000 {
                queue.insert(.timeout(index, connection: connection, id), at: now + 1_000)
            }
            return
        }
        guard !isStorageDown, !members[index].isCut else {
            queue.insert(.timeout(index, connection: connection, id), at: now + 1_000)
            return
        }
        if isStorageFull, command.writes {
            return reply(.failed(id, .readOnly), to: index, connection)
        }
        storage.listeners = linked
        let before = storage.current
        var announcements: [Announcement] = []
        let result = storage.perform(command, blob: blob, now: Self.wallClock + now) { announcements.append($0) }
        costs.count(command, result)
        log("storage m\(index) #\(id) \(command) -> \(result)")
        judge(command, result, before: before)
        for announcement in announcements {
            spread(announcement)
        }
        if case .writeBlob(let sha256) = command, !isHealed, plan.faults.contains(.blobDamage), dice.chance(100) {
            storage.blobs[sha256] = dice.chance(500) ? nil : [1]
        }
        if !isHealed, dice.chance(plan.losses) {
            log("reply to m\(index) #\(id) is lost")
            queue.insert(.timeout(index, connection: connection, id), at: now + 1_000)
            return
        }
        reply(.reply(id, result), to: index, connection)
    }

    private func reply(_ event: FleetMember.Event, to index: Int, _ connection: Int) {
        guard members[index].connection == connection else { return }
        let time = max(members[index].lastReply, now + latency)
        members[index].lastReply = time
        queue.insert(.answer(index, connection: connection, event), at: time)
    }

    private func spread(_ announcement: Announcement) {
        costs.announcements += linked
        for index in members.indices where members[index].isLinked {
            let connection = members[index].connection
            if !isHealed, dice.chance(plan.losses) { continue }
            queue.insert(.announce(index, connection: connection, announcement), at: now + latency)
            if !isHealed, dice.chance(plan.losses) {
                queue.insert(.announce(index, connection: connection, announcement), at: now + dice.roll(0, 10_000))
            }
        }
    }
}

extension StorageCommand {
    /// Whether a storage whose memory is full refuses it.
    var writes: Bool {
        switch self {
        case .read, .readBlob, .reportDamage: false
        case .acquire, .commit, .confirm, .release, .writeBlob, .pin: true
        }
    }
}
