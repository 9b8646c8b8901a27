internal import FoundationEssentials
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

/// Leases change the speed of answers, and nothing else. Pins change the catalogue, and nothing of what is asked and counted.
@Suite(.timeLimit(.minutes(2)))
struct LeaseEquivalenceTests {
    /// A step of a history, the same in both worlds.
    private enum Step {
        case pass(Duration)
        case works(source: Int, name: String, count: Int)
        case fails(source: Int, ProductsFailure)
        case reaches(Bool)
        /// nil takes the pin off.
        case pin(String?)
        case ask(headers: [String: String], optsOut: Bool)
    }

    /// All that a step brings about.
    private struct Effect: Equatable {
        var trail: [TrailStep]?
        var snapshot: [String]?
        var fetchedAt: Date?
        var freshness: Freshness?
        var failure: ProductsFailure?
        var events: [String]
        var told: [String]
        var questions: [Int]
        var counts: [[Int]]
    }

    @Test(arguments: 0..<120)
    func `random graphs answer alike in random histories, with leases and without`(seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let plan = RandomGraph(height: Int.random(in: 2...5, using: &random), by: &random)
        let steps = (0..<80).map { _ in Self.step(&random) }
        let plain = RandomWorld(plan) { root, _, _ in LeaseDroppingProvider(upstream: root) }
        let leased = RandomWorld(plan) { root, variations, wall in LeasingCaller(root, variations, wall: wall) }
        for (number, step) in steps.enumerated() {
            let (expected, seen) = (await Self.take(step, in: plain), await Self.take(step, in: leased))
            guard expected != seen else { continue }
            Issue.record("\(plan), step \(number), \(step): expected \(expected), found \(seen)")
            return
        }
    }

    @Test(arguments: 0..<20)
    func `most answers of a graph whose root keeps them need no question`(seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let world = RandomWorld(.over(.analytics, .memory(.pair(.fallback, .source(0), .source(1))))) {
            LeasingCaller($0, $1, wall: $2)
        }
        _ = await Self.take(.works(source: 0, name: "Mug", count: 3), in: world)
        for _ in 0..<100 {
            _ = await Self.take(.ask(headers: [:], optsOut: random.chance(50)), in: world)
            _ = await Self.take(.pass(.seconds(1)), in: world)
        }
        let caller = try #require(world.caller as? LeasingCaller)
        #expect(caller.answersFromLeases >= 90)
    }

    @Test(arguments: 0..<200)
    func `joined graphs answer alike with leases and without, one within the other`(seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let kept = (0..<RandomGraph.sources).map { RandomGraph.over(.analytics, .memory(.source($0))) }
        let first = RandomGraph.pair(random.pick([.overlay, .merge]), kept[0], kept[1])
        let second = random.pick([
            kept[1], .over(.validated, kept[1]), .pair(.reachability, kept[0], kept[1]),
            .pair(.audience, kept[0], kept[1]), .pair(.fallback, kept[0], kept[1]),
        ])
        let plan = random.pick([
            first, .over(.validated, first), .memory(first), .pair(.merge, first, second),
            .pair(.overlay, first, second), .pair(.overlay, second, .source(1)),
        ])
        let plain = RandomWorld(plan) { root, _, _ in LeaseDroppingProvider(upstream: root) }
        let leased = RandomWorld(plan) { root, variations, wall in LeasingCaller(root, variations, wall: wall) }
        for number in 0..<80 {
            let step = Self.step(&random)
            let (expected, seen) = (await Self.take(step, in: plain), await Self.take(step, in: leased))
            guard expected != seen else { continue }
            Issue.record("\(plan), step \(number), \(step): expected \(expected), found \(seen)")
            return
        }
    }

    @Test(arguments: [RandomGraph.Pair.overlay, .merge])
    func `most answers of joined memories need no question`(pair: RandomGraph.Pair) async throws {
        let second = pair == .overlay ? RandomGraph.source(1) : .memory(.source(1))
        let world = RandomWorld(.pair(pair, .memory(.source(0)), second)) { LeasingCaller($0, $1, wall: $2) }
        for source in 0..<RandomGraph.sources {
            _ = await Self.take(.works(source: source, name: "Mug", count: 3), in: world)
        }
        for _ in 0..<100 {
            _ = await Self.take(.ask(headers: [:], optsOut: false), in: world)
            _ = await Self.take(.pass(.seconds(1)), in: world)
        }
        let caller = try #require(world.caller as? LeasingCaller)
        #expect(caller.answersFromLeases >= 80)
    }

    @Test(arguments: 0..<60)
    func `with pins and without, the sources are asked and events are counted alike`(seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let graph = RandomGraph.memory(.over(.analytics, .pair(.fallback, .source(0), .source(1))))
        let (free, pinned) = (
            RandomWorld(graph) { root, _, _ in root }, RandomWorld(graph) { LeasingCaller($0, $1, wall: $2) }
        )
        var isPinned = false
        for number in 0..<80 {
            let step = Self.step(&random)
            var expected: Effect?
            if case .pin(let name) = step { isPinned = name != nil } else { expected = await Self.take(step, in: free) }
            let found = await Self.take(step, in: pinned)
            guard let expected else { continue }
            guard found.questions == expected.questions, found.events == expected.events else {
                Issue.record("step \(number), \(step): expected \(expected), found \(found)")
                return
            }
            guard case .ask = step else { continue }
            if isPinned {
                #expect(found.snapshot?.first?.hasPrefix("Old") == true && found.freshness?.isPinned == true)
            } else {
                // At its end it stays until another one may be served.
                #expect(found.snapshot == expected.snapshot || found.freshness?.isPinned == true)
            }
        }
    }

    private static func step(_ random: inout SeededGenerator) -> Step {
        let source = Int.random(in: 0..<RandomGraph.sources, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<15: return .pass(.seconds(random.pick([0, 1, 2, 20, 29, 31, 61, 95, 400, 800])))
        case 15..<23:
            return .works(source: source, name: random.pick(["Mug", "Cup"]), count: random.pick([0, 1, 3, 4]))
        case 23..<29:
            return .fails(
                source: source,
                random.pick([
                    .upstreamStatus(503, retryAfter: nil), .unreachable(.refused, detail: "test"),
                    .malformed(detail: "test"), .timedOut(after: .seconds(1)),
                ]))
        case 29..<33: return .reaches(random.chance(50))
        case 33..<37: return .pin(random.pick([nil, "Old", "Older"]))
        default:
            var headers: [String: String] = [:]
            if let tier = random.pick([nil, "gold", "other"]) { headers["x-tier"] = tier }
            if let user = random.pick([nil, "u1", "u2", "u3", "u4"]) { headers["x-user"] = user }
            return .ask(headers: headers, optsOut: random.chance(30))
        }
    }

    private static func take(_ step: Step, in world: RandomWorld) async -> Effect {
        var answer: ProductsAnswer?
        var failure: ProductsFailure?
        switch step {
        case .pass(let duration): world.pass(duration)
        case .works(let source, let name, let count):
            world.sources[source].works(makeCatalogue(name, count: count), world.wall)
        case .fails(let source, let failure): world.sources[source].fails(failure)
        case .reaches(let isReachable): world.monitor.isReachable = isReachable
        case .pin(let name): await world.pin(name)
        case .ask(let headers, let optsOut):
            do {
                answer = try await world.caller.products(
                    for: ProductsRequest(headers: headers, analyticsOptOut: optsOut))
            } catch {
                failure = ProductsFailure(error)
            }
        }
        await world.settle()
        return Effect(
            trail: answer?.trail, snapshot: answer?.snapshot.products.map { "\($0.name) \($0.id) \($0.attributes)" },
            fetchedAt: answer?.snapshot.fetchedAt, freshness: answer?.freshness, failure: failure,
            // Parts of a merge are asked at once, in any order.
            events: world.sink.events.map { "\($0)" }.sorted(), told: world.monitor.told.sorted(),
            questions: world.sources.map(\.calls),
            counts: world.nodes.map { [$0.counts.calls, $0.counts.hits, $0.counts.answers, $0.counts.failures] })
    }
}
