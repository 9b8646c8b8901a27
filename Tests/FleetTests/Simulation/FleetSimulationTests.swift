import Testing

@testable import Fleet

/// Runs histories of fleets with faults in virtual time. A seed that fails prints the end of its history; the same seed
/// gives the same one again. They keep every core busy, so `make test` runs them after all others, which watch the clock.
@Suite struct FleetSimulationTests {
    static let seeds = 10_000
    static let parts = 8

    private func failure(_ plan: SimulationPlan) -> String? {
        let violations = FleetSimulation(plan: plan).run()
        guard let violation = violations.first else { return nil }
        let traced = FleetSimulation(plan: plan, isTraced: true)
        _ = traced.run()
        return "\(plan)\n\(traced.trace.suffix(150).joined(separator: "\n"))\n\(violation)"
    }

    @Test(arguments: 0..<parts)
    func `no member steps back, gives something torn, or disagrees for good`(part: Int) async {
        var failures: [String] = []
        for seed in stride(from: part, to: Self.seeds, by: Self.parts) where failures.count < 3 {
            await Task.yield()
            failure(SimulationPlan(seed: seed)).map { failures.append($0) }
        }
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n\n"))")
    }

    /// A fence that is left out on purpose.
    enum Broken: CaseIterable {
        case nonce, epoch, time, exclusion, length, memory, clocks, parts, orders, base, renewal, rolls, pins

        func plan(seed: Int) -> SimulationPlan {
            var plan = SimulationPlan(seed: seed)
            switch self {
            case .nonce: plan.breakage = .noNonceCheck
            case .epoch:
                // Epochs matter where nonces do not differ.
                plan = plan.withClones
                plan.breakage = .noEpochCheck
            case .time:
                plan = plan.withDamage
                plan.breakage = .noTimeCheck
            case .exclusion: plan.breakage = .noExclusion
            case .length: plan.breakage = .noLengthCheck
            case .memory: plan.isForgetful = true
            case .clocks:
                plan = plan.withClocks
                plan.isCredulous = true
            case .parts:
                plan = plan.withParts
                plan.isCareless = true
            case .orders:
                plan = plan.withOrders
                plan.breakage = .noAcceptEnd
            case .base:
                plan = plan.withOrders
                (plan.delays, plan.breakage) = (300, .noBaseCheck)
            case .renewal: (plan.isSlow, plan.breakage) = (true, .noRenewal)
            case .rolls:
                plan = plan.withRolls
                plan.resumesStopped = true
            case .pins:
                plan = plan.withPins
                plan.losesPins = true
            }
            return plan
        }

        /// The words of the violation.
        var found: String {
            switch self {
            case .nonce, .epoch: "commits without the turn"
            case .time: "the storage steps back"
            case .exclusion: "while"
            case .length: "is committed without its blob"
            case .memory: "steps back from"
            case .clocks, .rolls: "goes back to"
            case .parts: "takes the place of"
            case .orders: "without an order"
            case .base: "is accepted in place of"
            case .renewal: "all ought to give the upstream's"
            case .pins: "without the pin"
            }
        }
    }

    @Test(arguments: Broken.allCases)
    func `a broken fence is found`(broken: Broken) async {
        var isFound = false
        for seed in 0..<2_000 where !isFound {
            await Task.yield()
            let plan = broken.plan(seed: seed)
            let violations = FleetSimulation(plan: plan).run()
            guard violations.contains(where: { $0.contains(broken.found) }) else { continue }
            var whole = plan
            whole.mend()
            isFound = FleetSimulation(plan: whole).run().isEmpty
        }
        #expect(isFound)
    }

    @Test func `the same seed gives the same history`() {
        for seed in 0..<20 {
            let first = FleetSimulation(plan: SimulationPlan(seed: seed), isTraced: true)
            let second = FleetSimulation(plan: SimulationPlan(seed: seed), isTraced: true)
            #expect(first.run() == second.run())
            #expect(first.trace == second.trace)
            #expect(!first.trace.isEmpty)
        }
    }

    @Test func `the histories come to every outcome`() {
        var notes: [FleetNote: Int] = [:]
        for seed in 0..<400 {
            let fleet = FleetSimulation(plan: SimulationPlan(seed: seed))
            _ = fleet.run()
            notes.merge(fleet.notes, uniquingKeysWith: +)
        }
        notes[.commit("fenced"), default: 0] += notes[.commit("late"), default: 0]
        for outcome in ["committed", "confirmed", "fenced", "missing", "failed"] {
            #expect(notes[.commit(outcome), default: 0] > 0, "\(outcome)")
        }
        for outcome in ["adopted", "missing", "damaged", "refused", "failed"] {
            #expect(notes[.read(outcome), default: 0] > 0, "\(outcome)")
        }
        #expect(notes[.lost, default: 0] > 0)
    }

    /// At rest each member reads the pointer each poll and asks for the turn each interval; a change is one blob each.
    @Test(arguments: [3, 50])
    func `a member costs the storage little at rest, and one blob per change`(members: Int) {
        let (rest, change, intervals) = StorageCosts.costs(members: members)
        #expect(rest.blobsRead == 0)
        #expect(rest.commands <= intervals * 30 * members)
        #expect(change.blobsRead == intervals * (members - 1))
    }
}
