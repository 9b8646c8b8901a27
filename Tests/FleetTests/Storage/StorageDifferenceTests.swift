import Fleet
import Redis
import TestSupport
import Testing

/// Holds the scripts against the model that the simulation of fleets runs on.
@Suite struct StorageDifferenceTests {
    private typealias Fixture = StorageFixture

    private enum Disturbance { case endedTurn, endedPause, cutBlob, forgedTime, loss }

    private struct Run {
        let fixture: StorageFixture
        var model: StorageModel
        var random: SeededGenerator
        var claims = [Claim(nonce: "n1", epoch: 1, startedAt: 1)]
        /// How much later than by the model, in milliseconds, the turn may have been taken or prolonged.
        var slackOfTurn = 0
        var names: Set<String> = []

        init(_ fixture: StorageFixture, seed: Int) {
            (self.fixture, random, model) = (fixture, SeededGenerator(seed: seed), StorageModel())
            model.keep = 3
        }

        mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

        mutating func command() -> StorageCommand {
            let nonce = random.pick(["n1", "n2"])
            switch number(0..<24) {
            case 0..<5:
                let current = model.current?.startedAt ?? 5
                return .acquire(
                    TurnRequest(
                        nonce: nonce, member: "a", milliseconds: 600_000,
                        purpose: random.chance(70) ? .refresh : .refill,
                        seenEpoch: random.pick([0, 0, model.epoch, model.epoch + 3]),
                        knownStartedAt: random.pick([0, current, current, current + 1, current - 1]),
                        isForced: random.chance(30)))
            case 5..<8: return .writeBlob(sha256: StorageFixture.hex(number(1..<7), 64))
            case 8..<12:
                var catalogue = StorageFixture.catalogue(number(1..<7), bytes: random.chance(90) ? 10 : 11)
                catalogue.revision = StorageFixture.hex(number(1..<4), 32)
                catalogue.source = source()
                catalogue.isAccepted = random.chance(10)
                return .commit(claim(), catalogue)
            case 12..<15:
                let other = StorageFixture.hex(number(1..<4), 32)
                let revision = random.chance(80) ? model.current?.revision ?? other : other
                return .confirm(claim(), revision: revision, source: source())
            case 15, 16:
                let refused = random.chance(50) ? StorageFixture.hex(1, 32) : nil
                let seen = SeenFailure(reason: "timeout", detail: "no answer from \"a\"", member: "b\(number(1..<3))")
                return .release(
                    nonce: nonce, random.pick([.unused, .failed(refused: refused), .unreachable]),
                    seen: random.chance(70) ? seen : nil)
            case 17:
                return .pin(
                    PinRecord(
                        version: number(1..<6), pointer: random.chance(70) ? model.history.last : nil, by: "test",
                        reason: nil))
            case 21, 22:
                let base = random.chance(80) ? model.current?.revision : StorageFixture.hex(9, 32)
                return .accept(revision: StorageFixture.hex(number(1..<4), 32), replacing: base)
            case 20: return .renew(claim(), milliseconds: 600_000)
            case 18: return .reportDamage(sha256: StorageFixture.hex(number(1..<7), 64))
            default: return .readBlob(sha256: StorageFixture.hex(number(1..<7), 64), bytes: number(1..<12))
            }
        }

        private mutating func source() -> PointerSource? {
            random.chance(50) ? PointerSource(text: "\(number(0..<9)) offline larder; hit; ttl=-5") : nil
        }

        private mutating func claim() -> Claim {
            var claim = random.chance(80) ? claims[claims.count - 1] : random.pick(claims)
            if random.chance(10) { claim.epoch -= 1 }
            if random.chance(10) { claim.startedAt = max(1, claim.startedAt + random.pick([-1, 1])) }
            return claim
        }

        /// Has the same happen to both that no command does.
        mutating func disturb() async throws {
            let prefix = StorageFixture.prefix
            let frequencies = [
                (Disturbance.endedTurn, model.turn == nil ? 0 : 5), (.endedPause, model.attempt.failures > 0 ? 5 : 0),
                (.cutBlob, model.blobs.isEmpty ? 0 : 5), (.forgedTime, model.current == nil ? 0 : 1),
                (.loss, model.current == nil ? 0 : 1),
            ]
            let possible = frequencies.flatMap { Array(repeating: $0, count: $1) }
            guard !possible.isEmpty else { return }
            switch random.pick(possible) {
            case .endedTurn:
                try await fixture.admin("DEL", prefix + "lease")
                model.turn = nil
            case .endedPause:
                try await fixture.admin("HSET", prefix + "attempt", "notBefore", "1")
                model.attempt.notBefore = 1
            case .cutBlob:
                let name = random.pick(model.blobs.keys.sorted())
                try await fixture.admin("SET", prefix + "blob:" + name, "cut")
                model.blobs[name] = Array("cut".utf8)
            case .forgedTime:
                let forged = try await fixture.read().now + random.pick([3_600_000, 200_000_000])
                try await fixture.admin("HSET", prefix + "current", "startedAt", "\(forged)")
                model.current?.startedAt = forged
            case .loss:
                try await fixture.admin("FLUSHALL")
                model.forget()
            }
        }

        mutating func step() async throws {
            let command = command()
            let before = try await fixture.read().now
            let reply = try await fixture.perform(command, blob: StorageFixture.blob)
            let slack = try await fixture.read().now - before + 2
            let now =
                switch reply {
                case .granted(_, _, let contents), .newer(let contents), .contents(let contents): contents.now
                case .committed(let pointer): pointer.checkedAt
                default: before
                }
            let expected = model.perform(command, blob: StorageFixture.blob, now: now) { _ in }
            names.insert("\(reply)".prefix { $0 != "(" }.description)
            switch (reply, expected) {
            case (.taken(let left), .taken(let other)): #expect(abs(left - other) <= slack + slackOfTurn)
            case (.paused(let left, let failures, let seen), .paused(let other, let otherFailures, let otherSeen)):
                #expect(abs(left - other) <= slack && failures == otherFailures && seen == otherSeen)
            default: try #require(reply == expected, "\(command)")
            }
            if case .granted(let claim, _, _) = reply {
                claims.append(claim)
                slackOfTurn = slack
            }
            if case .renew = command { slackOfTurn = slack }
            if case .release = command { try await adoptPause(slack) }
            try await compare(after: command)
        }

        /// The reply to a release has no time: the model takes over the pause that the script has set.
        private mutating func adoptPause(_ slack: Int) async throws {
            guard model.attempt.failures > 0 else { return }
            let key = StorageFixture.prefix + "attempt"
            let notBefore = try #require(try await fixture.admin("HGET", key, "notBefore").number)
            #expect(abs(notBefore - model.attempt.notBefore) <= slack)
            model.attempt.notBefore = notBefore
        }

        private func compare(after command: StorageCommand) async throws {
            var contents = try await fixture.read()
            contents.now = 0
            try #require(contents == model.contents(at: 0), "\(command)")
            let history = try await fixture.storage.history(within: .seconds(5)).get()
            try #require(history == model.history, "\(command)")
            let keys = try await fixture.admin("KEYS", StorageFixture.prefix + "blob:*").items ?? []
            let blobs = Set(keys.compactMap { $0.text.map { String($0.suffix(64)) } })
            try #require(blobs == Set(model.blobs.keys), "\(command)")
        }
    }

    @Test func `the scripts reply as the model of the simulation does`() async throws {
        let fixture = try await Fixture()
        var names: Set<String> = []
        for seed in 0..<20 {
            try await fixture.admin("FLUSHALL")
            var run = Run(fixture, seed: seed)
            for _ in 0..<80 {
                if run.random.chance(15) { try await run.disturb() }
                try await run.step()
            }
            names.formUnion(run.names)
        }
        #expect(names.isSuperset(of: ["granted", "newer", "taken", "paused", "committed", "fenced", "missing"]))
    }
}
