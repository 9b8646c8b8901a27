import Redis
import TestSupport
import Testing
internal import Wiring

/// What `larder check --connect` says of a server, as the user of the config.
@Suite(.timeLimit(.minutes(1)))
struct FleetCheckTests {
    @Test(arguments: ["resetchannels", "-eval -evalsha", "-hset -sadd"])
    func `check says what the user may not do`(missing: String) async throws {
        try await FleetStand.with { fleet in
            let rules = RedisServer.replicaPermissions.joined(separator: " ")
            let user = "ACL SETUSER larder on >secret resetkeys resetchannels -@all \(rules) \(missing)"
            #expect(try await fleet.send(words: user.split(separator: " ").map(String.init)) == .status("OK"))
            var settings = fleet.settings
            settings.user = "larder:secret@"
            do {
                _ = try await fleet.inspect(settings)
                Issue.record("it says ok")
            } catch let failure as SharedStoreConnection.Failure {
                let words = failure.description
                #expect(words.contains("NOPERM") || words.contains("can't run"), "\(words)")
            }
        }
    }

    @Test func `check warns of a server that keeps nothing, as far as the user may see`() async throws {
        try await FleetStand.with { fleet in
            #expect(try await fleet.inspect(fleet.settings).warnings.contains { $0.contains("keeps nothing") })
            let rules = RedisServer.replicaPermissions.joined(separator: " ")
            let user = "ACL SETUSER larder on >secret resetkeys resetchannels -@all \(rules) +info"
            #expect(try await fleet.send(words: user.split(separator: " ").map(String.init)) == .status("OK"))
            var settings = fleet.settings
            settings.user = "larder:secret@"
            #expect(try await fleet.inspect(settings).warnings.contains { $0.contains("appendonly is off") })
            try await fleet.send("CONFIG", "SET", "appendonly", "yes")
            #expect(try await fleet.inspect(settings).warnings == [])
        }
    }

    @Test(arguments: ["allkeys-lru", "volatile-lru", "noeviction"])
    func `check warns of a policy that evicts, of a server that tells it`(policy: String) async throws {
        try await FleetStand.with { fleet in
            try await fleet.send("CONFIG", "SET", "maxmemory-policy", policy)
            let told = try await fleet.inspect(fleet.settings)
            #expect(told.summary.hasPrefix("Redis "))
            #expect(told.warnings.contains { $0.contains("maxmemory-policy \(policy)") } == (policy != "noeviction"))
            let rules = RedisServer.replicaPermissions.joined(separator: " ")
            let user = "ACL SETUSER larder on >secret resetkeys resetchannels -@all \(rules)"
            #expect(try await fleet.send(words: user.split(separator: " ").map(String.init)) == .status("OK"))
            var settings = fleet.settings
            settings.user = "larder:secret@"
            let untold = try await fleet.inspect(settings)
            #expect(untold.summary.hasPrefix("a server at redis://") && !untold.summary.contains("secret"))
            #expect(untold.warnings.count == 1 && untold.warnings.allSatisfy { $0.contains("INFO") })
        }
    }
}
