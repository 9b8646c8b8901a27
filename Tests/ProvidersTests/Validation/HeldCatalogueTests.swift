internal import Configuration
internal import FileSystem
internal import FoundationEssentials
internal import Products
internal import TestSupport
internal import Testing

@testable internal import Providers
@testable internal import Wiring

/// The time that `validated` gives operators.
@Suite(.timeLimit(.minutes(1)))
struct HeldCatalogueTests {
    private static let held = "warning: catalogue held"
    private static let rules = CatalogueRules(warnings: GateFixture.prices, hold: .seconds(600))

    @Test func `a catalogue beyond a warning goes through when it was seen for long enough`() async throws {
        let gate = GateFixture(Self.rules)
        let (good, bad) = (try GateFixture.shop(), try GateFixture.shop(raised: 20))
        _ = try await gate.token(of: good)
        let start = gate.wall.now
        #expect(try await gate.token(of: bad) == "held")
        #expect(gate.provider.quarantined?.withheldUntil == start.addingTimeInterval(600))
        // A wall clock that is set right is no passing of time.
        gate.wall.advance(by: .seconds(3600))
        gate.clock.advance(by: .seconds(599))
        #expect(try await gate.token(of: bad) == "held")
        gate.clock.advance(by: .seconds(1))
        #expect(try await gate.token(of: bad) == nil)
        #expect(gate.log.seen == [Self.held, "notice: a held catalogue goes through"])
        #expect(gate.provider.quarantined == nil)
        #expect(try await gate.token(of: good) == "held")
    }

    @Test func `an operator may accept it earlier`() async throws {
        let gate = GateFixture(Self.rules)
        let bad = try GateFixture.shop(raised: 20)
        _ = try await gate.token(of: try GateFixture.shop())
        #expect(try await gate.token(of: bad) == "held")
        #expect(gate.provider.accept(revision: bad.revision))
        #expect(try await gate.token(of: bad) == nil)
    }

    @Test func `the time begins anew when another catalogue passed in between`() async throws {
        let gate = GateFixture(Self.rules)
        let (good, bad) = (try GateFixture.shop(), try GateFixture.shop(raised: 20))
        _ = try await gate.token(of: good)
        #expect(try await gate.token(of: bad) == "held")
        gate.pass(.seconds(500))
        #expect(try await gate.token(of: good) == nil)
        #expect(try await gate.token(of: bad) == "held")
        gate.pass(.seconds(500))
        #expect(try await gate.token(of: bad) == "held")
    }

    @Test
    func `a catalogue that is near to the held one goes on with its time, one that is far begins anew`() async throws {
        let gate = GateFixture(Self.rules)
        _ = try await gate.token(of: try GateFixture.shop())
        #expect(try await gate.token(of: try GateFixture.shop(raised: 10)) == "held")
        gate.pass(.seconds(400))
        #expect(try await gate.token(of: try GateFixture.shop(raised: 10, name: "Cup")) == "held")
        gate.pass(.seconds(200))
        #expect(try await gate.token(of: try GateFixture.shop(raised: 20)) == "held")
        #expect(gate.log.seen == [Self.held, Self.held])
        gate.pass(.seconds(599))
        #expect(try await gate.token(of: try GateFixture.shop(raised: 19)) == "held")
        gate.pass(.seconds(1))
        #expect(try await gate.token(of: try GateFixture.shop(raised: 18)) == nil)
    }

    @Test
    func `a catalogue beyond a bound is refused, however long it waits, and whatever it was before`() async throws {
        var rules = Self.rules
        rules.limits.removed = 0.1
        let gate = GateFixture(rules)
        _ = try await gate.token(of: try GateFixture.shop())
        #expect(try await gate.token(of: try GateFixture.shop(raised: 20)) == "held")
        gate.pass(.seconds(600))
        for _ in 0..<2 {
            #expect(try await gate.token(of: try GateFixture.shop(raised: 15, count: 15)) == "removed")
            gate.pass(.seconds(600))
        }
        #expect(gate.provider.quarantined?.withheldUntil == nil)
    }

    @Test func `the time of a catalogue that was refused before begins with the hold`() async throws {
        let bad = try GateFixture.shop(raised: 20)
        let first = GateFixture(CatalogueRules(limits: GateFixture.prices))
        _ = try await first.token(of: try GateFixture.shop())
        #expect(try await first.token(of: bad) == "price-change")
        first.pass(.seconds(3600))
        let second = GateFixture(Self.rules, following: first)
        for _ in 0..<2 { #expect(try await second.token(of: bad) == "held") }
        first.pass(.seconds(600))
        #expect(try await second.token(of: bad) == nil)
    }

    @Test func `a reload goes on with the time`() async throws {
        let first = GateFixture(Self.rules)
        let bad = try GateFixture.shop(raised: 20)
        _ = try await first.token(of: try GateFixture.shop())
        #expect(try await first.token(of: bad) == "held")
        first.pass(.seconds(300))
        let second = GateFixture(Self.rules, following: first)
        #expect(try await second.token(of: bad) == "held")
        first.pass(.seconds(300))
        #expect(try await second.token(of: bad) == nil)
    }
}
