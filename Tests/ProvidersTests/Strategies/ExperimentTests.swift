internal import Products
internal import Testing
internal import TestSupport
internal import Text

@testable internal import Providers

struct ExperimentTests {
    /// Worked out by hand from SHA-256: subjects that were split must stay where they are with every later version.
    @Test(arguments: [
        ("banner", "u1", 0.6777, "58f874955270c52716653c77c7a75483"),
        ("banner", "u3", 0.3733, "081b2e3ba4597ff64d4d37db6a599479"),
        ("banner", "Zoë", 0.2029, "72f729d8abf4d378d1ef4e7586be27ec"),
        ("prices", "u1", 0.7224, "31aee1cefab89f1a6e70529fe038708d"),
    ])
    func `a subject's place is known for ever`(experiment: String, subject: String, place: Double, pseudonym: String) {
        let below = Experiment(name: experiment, header: "x-user", shareOfA: place)
        let above = Experiment(name: experiment, header: "x-user", shareOfA: place + 0.0001)
        #expect(below.assignment(of: subject).arm == .b)
        for value in [subject, " \(subject)\t"] {
            let assignment = above.assignment(of: value)
            #expect(assignment.arm == .a)
            #expect(above.arm(of: ProductsRequest(headers: ["x-user": value])) == .a)
            #expect(above.variation.variant(value) == "a")
            #expect(assignment.subject?.pseudonym == pseudonym)
        }
    }

    @Test(arguments: [0.0, 0.1, 0.5, 0.9, 1.0])
    func `the arms get their shares, to within what chance allows`(share: Double) {
        let experiment = Experiment(name: "banner", header: "x-user", shareOfA: share)
        let a = (0..<10_000).count { experiment.assignment(of: "subject \($0)").arm == .a }
        #expect(abs(Double(a) / 10_000 - share) < (share == 0 || share == 1 ? 1e-9 : 0.02))
    }

    @Test func `a larger share moves subjects to a, and none away from it`() {
        let arms = [0.2, 0.6].map { share in
            let experiment = Experiment(name: "banner", header: "x-user", shareOfA: share)
            return Set((0..<1000).filter { experiment.assignment(of: "\($0)").arm == .a })
        }
        #expect(arms[0].isStrictSubset(of: arms[1]))
    }

    @Test func `two experiments split the same subjects independently`() {
        let arms = ["banner", "prices"].map { name in
            let experiment = Experiment(name: name, header: "x-user", shareOfA: 0.5)
            return Set((0..<10_000).filter { experiment.assignment(of: "\($0)").arm == .a })
        }
        #expect(abs(arms[0].intersection(arms[1]).count - 2500) < 200)
    }

    @Test(arguments: [nil, "", "  "] as [String?])
    func `who has no subject gets the control, unless that is for nobody, and is no one`(value: String?) {
        for (share, arm) in [(1, .a), (0.001, .a), (0, .b)] as [(Double, ABTestArm)] {
            let experiment = Experiment(name: "banner", header: "x-user", shareOfA: share)
            #expect(experiment.assignment(of: value) == .init(arm: arm, subject: nil))
        }
    }

    @Test func `another setting is another revision`() {
        let revisions = [
            ("banner", "x-user", 0.5), ("banner", "x-user", 0.6), ("banner", "x-id", 0.5), ("b", "x", 0.5),
        ]
        .map { Experiment(name: $0.0, header: $0.1, shareOfA: $0.2).revision }
        #expect(Set(revisions).count == 4)
        #expect(Experiment(name: "banner", header: "x-user", shareOfA: 0.5).revision == revisions[0])
    }

    /// Worked out by hand, as above: events of before and after an upgrade have to go together.
    @Test func `a setting's revision is known for ever, and so is how both are written`() {
        #expect(Experiment(name: "banner", header: "x-user", shareOfA: 0.5).revision.hexDigits == "fbe321fe")
        #expect(ExperimentSubject(high: 0xab, low: 0).pseudonym == "00000000000000ab0000000000000000")
    }
}

struct ExposureLogTests {
    @Test func `each subject is the first one once, and both halves of its digest count`() {
        let log = ExposureLog()
        #expect(log.isFirst(subject(1)))
        #expect(!log.isFirst(subject(1)))
        #expect(log.isFirst(subject(2)))
        #expect(log.isFirst(subject(18)))
        #expect(log.isFirst(subject(1, high: 8)))
    }

    @Test func `it remembers half of what it may hold at least, and no more than that`() {
        let log = ExposureLog(capacity: 100, shards: 1)
        for number in 0..<1000 { #expect(log.isFirst(subject(number))) }
        for number in 950..<1000 { #expect(!log.isFirst(subject(number))) }
        for number in 0..<850 { #expect(log.isFirst(subject(number))) }
    }

    @Test
    func `with its subjects spread over shards it still remembers no more than it may, and not much less than half`() {
        let log = ExposureLog(capacity: 1600, shards: 16)
        for number in 0..<10_000 { _ = log.isFirst(subject(number)) }
        let known = (0..<10_000).reversed().count { !log.isFirst(subject($0)) }
        #expect((800...1600).contains(known))
    }

    @Test func `of many at once one is the first`() async {
        let log = ExposureLog()
        let firsts = await withTaskGroup { group in
            for _ in 0..<200 { group.addTask { log.isFirst(subject(1)) } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(firsts == 1)
    }

    private func subject(_ low: Int, high: UInt64 = 7) -> ExperimentSubject {
        ExperimentSubject(high: high, low: UInt64(low))
    }
}
