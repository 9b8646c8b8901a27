import Fleet

/// The meaning of a seed: the size of a fleet, its settings, and the faults of its history.
struct SimulationPlan {
    enum Fault: CaseIterable {
        case storageLoss, failover, storageDown, storageHung, storageFull, blobDamage
        case cutFromStorage, cutFromUpstream, deafness, pause, restart, clone
        case upstreamDown, upstreamChange, refusal
        case pin, unpin, force
        case clockStep, roll, accept, relapse, forgery
    }

    var seed: Int
    var members = 3
    /// The length of the history with faults, in milliseconds.
    var length = 22_000
    var interval = 6_000
    var poll = 3_000
    var turnLength = 4_000
    var isHolding = false
    /// The mean time between faults.
    var pace = 2_000
    var faults: [Fault] = []
    /// How many of a thousand commands, replies and announcements are lost.
    var losses = 0
    /// How many of a thousand messages are late.
    var delays = 0
    var skew = 0
    /// Whether the upstream stays away after everything else works again.
    var endsWithoutUpstream = false
    /// Whether a member's own gate refuses some catalogues that others let through.
    var isPicky = false
    var breakage: StorageModel.Breakage = []
    /// Lets members forget what they gave, to see that it is found.
    var isForgetful = false
    /// Believes the clock that dated a disk, to see that it is found.
    var isCredulous = false
    /// Lets a part take the place of the whole, to see that it is found.
    var isCareless = false
    /// Loses pins at a restart, to see that it is found.
    var losesPins = false
    /// Goes on with what has stopped when a configuration comes back, to see that it is found.
    var resumesStopped = false
    /// Whether the upstream takes longer than a turn.
    var isSlow = false

    /// The time after the last fault within which the members agree.
    var settling: Int {
        let polls = hasSlowRepairs ? 6 * poll : 2 * poll * 6 / 5
        return polls + turnLength * (isSlow ? 4 : 1) + 3_000
    }
    private var hasSlowRepairs: Bool {
        faults.contains { fault in
            switch fault {
            case .blobDamage, .pin, .refusal, .roll, .accept: true
            default: false
            }
        }
    }
    /// Whether the storage works all the time and loses nothing, so that refreshes can be counted.
    var isCalm: Bool {
        losses == 0
            && faults.allSatisfy { fault in
                switch fault {
                case .deafness, .pause, .restart, .upstreamChange, .clockStep: true
                default: false
                }
            }
    }

    init(seed: Int) {
        self.seed = seed
        var dice = Dice(seed: seed)
        switch dice.roll(0, 99) {
        case 0: (members, length) = (50, 9_000)
        case 1...12: (members, length) = (dice.roll(6, 12), 14_000)
        default: members = dice.roll(2, 5)
        }
        isHolding = dice.chance(150)
        pace = dice.roll(200, 2_500)
        skew = dice.chance(300) ? dice.roll(0, 60_000) : dice.roll(0, 50)
        losses = dice.chance(400) ? dice.roll(1, 60) : 0
        delays = dice.chance(500) ? dice.roll(1, 100) : 0
        switch dice.roll(0, 9) {
        case 0: faults = []
        case 1: (faults, losses) = ([.deafness, .pause, .restart, .upstreamChange], 0)
        case 2: faults = Fault.allCases
        default: faults = Fault.allCases.filter { _ in dice.chance(400) }
        }
        if !faults.contains(.upstreamChange), dice.chance(800) {
            faults.append(.upstreamChange)
        }
        if faults.contains(.storageLoss) || faults.contains(.failover) {
            // After losing its epoch, the storage cannot distinguish a clone from the original: nonces have to differ.
            faults.removeAll { $0 == .clone }
        }
        endsWithoutUpstream = dice.chance(250)
        isSlow = dice.chance(30)
        isPicky = !endsWithoutUpstream && faults.contains(.refusal) && dice.chance(300)
    }

    /// The seed's history with members that restart with the nonces of their predecessors. Only the epoch distinguishes
    /// them.
    var withClones: SimulationPlan {
        var plan = self
        plan.faults = [.clone, .storageLoss, .clone, .storageHung, .clone]
        (plan.members, plan.length, plan.pace, plan.losses, plan.delays) = (2, 20_000, 300, 0, 300)
        return plan
    }

    /// The seed's history with damaged blobs, which are rewritten by members that have not seen the last refresh.
    var withDamage: SimulationPlan {
        var plan = self
        plan.faults = [.blobDamage, .deafness, .cutFromStorage]
        (plan.members, plan.length, plan.pace, plan.losses) = (3, 26_000, 300, 50)
        return plan
    }

    /// The seed's history with members that restart at the wrong time, on disks that the wrong clock has dated.
    var withClocks: SimulationPlan {
        var plan = self
        plan.faults = [.clockStep, .restart, .upstreamChange, .cutFromStorage, .upstreamDown]
        (plan.members, plan.skew, plan.pace) = (3, 60_000, 500)
        return plan
    }

    /// The seed's history with an upstream that gives parts, and members that are new to it.
    var withParts: SimulationPlan {
        var plan = self
        plan.faults = [.restart, .storageDown, .upstreamChange]
        (plan.members, plan.pace, plan.isHolding) = (3, 400, false)
        return plan
    }

    /// The seed's history with orders to accept what the gate refuses.
    var withOrders: SimulationPlan {
        var plan = self
        plan.faults = [.refusal, .accept, .relapse, .restart, .upstreamChange]
        (plan.members, plan.pace, plan.length, plan.interval) = (3, 600, 40_000, 2_000)
        return plan
    }

    /// The seed's history with configurations that come and go.
    var withRolls: SimulationPlan {
        var plan = self
        plan.faults = [.roll, .upstreamChange, .upstreamDown]
        (plan.members, plan.pace) = (2, 800)
        return plan
    }

    /// The seed's history with pins, and starts without the storage.
    var withPins: SimulationPlan {
        var plan = self
        plan.faults = [.pin, .restart, .storageDown, .upstreamChange]
        (plan.members, plan.pace) = (2, 700)
        return plan
    }

    /// Puts in place again what was left out.
    mutating func mend() {
        breakage = []
        (isForgetful, isCredulous, isCareless, losesPins, resumesStopped) = (false, false, false, false, false)
    }
}
