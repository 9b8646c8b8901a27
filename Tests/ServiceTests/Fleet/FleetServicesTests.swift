import Fleet
import HTTPServer
import JSON
import Networking
import Redis
import TestSupport
import Testing
internal import Wiring

/// Whole services with a Redis server. The drills of `Tests/Deployment/Fleet` do the same with processes, and for longer.
@Suite(.timeLimit(.minutes(1)))
struct FleetServicesTests {
    @Test func `one replica asks the upstream for all, and what it commits is served by all`() async throws {
        try await FleetStand.with { fleet in
            let replicas = try await fleet.start(3)
            let requests = fleet.shop.requests
            fleet.shop.publish(edition: 2)
            #expect(try await replicas[0].order("/refresh").status == 200)
            // Their own catalogues are fresh, so the change of the store has them ask.
            for replica in replicas { try await replica.wait(forEdition: 2) }
            #expect(fleet.shop.requests == requests + 1)
            for replica in replicas[1...] {
                let metrics = try await replica.metrics()
                let labels = ["store": "shared"]
                #expect(metrics.value("larder_shared_propagation_seconds_count", labels) ?? 0 >= 1)
                #expect(metrics.value("larder_shared_connected", labels) == 1)
            }
        }
    }

    @Test func `catalogues that expire at all replicas are one refresh`() async throws {
        try await FleetStand.with { fleet in
            let replicas = try await fleet.start(3)
            let requests = fleet.shop.requests
            fleet.shop.publish(edition: 2)
            for replica in replicas {
                #expect(try await replica.edition() == 1)
                replica.clock.advance(by: .seconds(31))
            }
            for replica in replicas { _ = try await replica.get("/products") }
            for replica in replicas { try await replica.wait(forEdition: 2) }
            #expect(fleet.shop.requests == requests + 1)
        }
    }

    @Test func `replicas that start read the storage, and need no upstream`() async throws {
        try await FleetStand.with { fleet in
            _ = try await fleet.start(1)
            fleet.shop.serve(HTTPResponse(status: .serviceUnavailable))
            for replica in try await fleet.start(2) { #expect(try await replica.edition() == 1) }
        }
    }

    @Test func `a replica starts without the storage, and shares what it has as soon as it is there`() async throws {
        try await FleetStand.with { fleet in
            fleet.redis.stop()
            let alone = try await fleet.start(1, until: "shared: not connected")[0]
            #expect(try await alone.edition() == 1)
            let requests = fleet.shop.requests
            try await fleet.redis.start()
            try await eventually { try await fleet.current("count") == "4" }
            #expect(fleet.shop.requests == requests)
        }
    }

    @Test func `a storage that is killed and comes back empty is filled, and followed again`() async throws {
        try await FleetStand.with { fleet in
            let replicas = try await fleet.start(2)
            let revision = try await fleet.current("revision")
            #expect(revision != nil)
            let requests = fleet.shop.requests
            fleet.redis.stop()
            for replica in replicas {
                await replica.log.wait(for: "warning: the shared storage is away")
                #expect(try await replica.edition() == 1)
                #expect(try await replica.get("/readyz").status == 200)
            }
            try await fleet.redis.start()
            try await eventually { try await fleet.current("revision") == revision }
            #expect(fleet.shop.requests == requests)
            for replica in replicas { try await replica.wait(untilItSays: "shared: connected, generation ") }
            fleet.shop.publish(edition: 2)
            try await replicas[0].order("/refresh")
            for replica in replicas { try await replica.wait(forEdition: 2) }
            #expect(fleet.shop.requests == requests + 1)
        }
    }

    @Test(arguments: ["hold", "refresh_alone"])
    func `without the storage a replica asks alone, or goes on with what it has`(rule: String) async throws {
        try await FleetStand.with { fleet in
            let replica = try await fleet.start(1) { $0.whenUnavailable = rule }[0]
            let requests = fleet.shop.requests
            fleet.redis.stop()
            await replica.log.wait(for: "warning: the shared storage is away")
            fleet.shop.publish(edition: 2)
            try await replica.order("/refresh")
            #expect(fleet.shop.requests == requests + (rule == "hold" ? 0 : 1))
            #expect(try await replica.edition() == (rule == "hold" ? 1 : 2))
            #expect(try await replica.get("/readyz").status == 200)
            // An operator who insists gets past it.
            try await replica.order("/refresh?force=1")
            #expect(fleet.shop.requests == requests + (rule == "hold" ? 1 : 2))
            #expect(try await replica.edition() == 2)
            try await fleet.redis.start()
            try await replica.wait(untilItSays: "shared: connected, generation ")
            try await replica.order("/refresh?force=1")
            try await replica.wait(forEdition: 2)
        }
    }

    @Test func `a full storage costs the fleet its turns, and nothing else`() async throws {
        try await FleetStand.with { fleet in
            let replicas = try await fleet.start(2)
            let requests = fleet.shop.requests
            try await fleet.send("CONFIG", "SET", "maxmemory", "1")
            fleet.shop.publish(edition: 2)
            try await replicas[0].order("/refresh")
            try await replicas[0].wait(forEdition: 2)
            #expect(replicas[0].log.count(of: "warning: the shared storage does not write") == 1)
            #expect(try await replicas[1].edition() == 1)
            try await fleet.send("CONFIG", "SET", "maxmemory", "0")
            try await replicas[1].wait(forEdition: 2)
            #expect(fleet.shop.requests == requests + 1)
        }
    }

    @Test func `replicas with two configs have a catalogue each, and a reload changes over with one refresh`()
        async throws
    {
        try await FleetStand.with { fleet in
            let replicas = try await fleet.start(2)
            var other = fleet.settings
            other.maxShrink = "0.9"
            let (requests, generation) = (fleet.shop.requests, try await fleet.current("generation"))
            fleet.shop.publish(edition: 2)
            try await replicas[0].reload(other)
            try await replicas[0].wait(forEdition: 2)
            try await eventually { try await fleet.current("count", other) == "4" }
            #expect(try await fleet.current("generation") == generation)
            #expect(try await replicas[1].edition() == 1)
            #expect(fleet.shop.requests == requests + 1)
            try await replicas[1].reload(other)
            try await replicas[1].wait(forEdition: 2)
            #expect(fleet.shop.requests == requests + 1)
        }
    }

    @Test func `a config that comes back while the upstream is down does not bring back what it had`() async throws {
        try await FleetStand.with { fleet in
            let replica = try await fleet.start(1)[0]
            var other = fleet.settings
            other.maxShrink = "0.9"
            fleet.shop.publish(edition: 2)
            try await replica.reload(other)
            try await replica.wait(forEdition: 2)
            try await eventually { try await fleet.current("count", other) == "4" }
            fleet.shop.serve(HTTPResponse(status: .serviceUnavailable))
            try await replica.reload(fleet.settings)
            for _ in 0..<3 {
                replica.clock.advance(by: .seconds(31))
                #expect(try await replica.edition() == 2)
                try await replica.order("/refresh?force=1")
                #expect(try await replica.edition() == 2)
            }
            #expect(try await fleet.current("generation") == "1")
            fleet.shop.publish(edition: 3)
            try await replica.order("/refresh?force=1")
            try await replica.wait(forEdition: 3)
            try await eventually { try await fleet.current("generation") == "2" }
        }
    }

    @Test func `a replica with another config starts with the former catalogue, and leaves it as it is`() async throws {
        try await FleetStand.with { fleet in
            let old = try await fleet.start(1)[0]
            let generation = try await fleet.current("generation")
            fleet.shop.serve(HTTPResponse(status: .serviceUnavailable))
            var other = fleet.settings
            other.maxShrink = "0.9"
            let new = try await fleet.start(1, until: "a catalogue of another configuration") {
                $0.maxShrink = other.maxShrink
            }[0]
            #expect(try await new.edition() == 1)
            #expect(try await fleet.current("generation", other) == nil)
            fleet.shop.publish(edition: 2)
            try await new.order("/refresh?force=1")
            try await new.wait(forEdition: 2)
            #expect(try await fleet.current("generation", other) == "1")
            #expect(try await fleet.current("generation") == generation)
            #expect(try await old.edition() == 1)
        }
    }

    @Test(arguments: ["larder:0:", "larder:2:"])
    func `keys of another format are neither read nor written`(format: String) async throws {
        try await FleetStand.with { fleet in
            let own = try fleet.settings.prefix
            let foreign = own.replacing("larder:1:", with: format)
            try await fleet.send(
                "HSET", foreign + "current", "generation", "99", "revision", "ff", "startedAt", "9000000000000")
            try await fleet.send("SET", foreign + "lease", "somebody", "PX", "600000")
            let replica = try await fleet.start(1)[0]
            #expect(try await replica.edition() == 1)
            #expect(fleet.shop.requests == 1)
            #expect(try await fleet.current("generation") == "1")
            let keys = try await fleet.send("KEYS", "*").items?.compactMap(\.text) ?? []
            #expect(keys.count { $0.hasPrefix(format) } == 2)
            #expect(
                keys.allSatisfy { $0.hasPrefix(format) || $0.hasPrefix(own) || $0 == "larder:1:{catalogue}:latest" })
            #expect(try await fleet.send("HLEN", foreign + "current") == .integer(3))
        }
    }

    @Test func `a pin given to one replica is obeyed by all, and taken off at another`() async throws {
        try await FleetStand.with { fleet in
            let replicas = try await fleet.start(2)
            let first = try #require(try await fleet.current("generation"))
            fleet.shop.publish(edition: 2)
            try await replicas[0].order("/refresh")
            for replica in replicas { try await replica.wait(forEdition: 2) }
            #expect(try await replicas[1].order("/pin?generation=\(first)").status == 200)
            for replica in replicas { try await replica.wait(forEdition: 1) }
            #expect(try await replicas[0].order("/unpin?confirm=1").status == 200)
            for replica in replicas { try await replica.wait(forEdition: 2) }
        }
    }

    @Test func `a catalogue that one replica has refused is let through at another, for both`() async throws {
        try await FleetStand.with { fleet in
            let replicas = try await fleet.start(2)
            fleet.shop.publish(edition: 2, count: 1)
            try await replicas[0].order("/refresh")
            #expect(try await replicas[0].edition() == 1)
            // It is there as soon as the second replica has read who refused what.
            try await eventually { try await replicas[1].order("/quarantine/accept").status == 200 }
            for replica in replicas { try await replica.wait(forEdition: 2) }
        }
    }

    @Test func `requests of clients send nothing to the storage`() async throws {
        try await FleetStand.with { fleet in
            let replica = try await fleet.start(1) { $0.poll = "300s" }[0]
            let before = try await fleet.commands()
            for _ in 0..<1000 { #expect(try await replica.get("/products").status == 200) }
            // A few are of the connections, whoever asks for products.
            #expect(try await fleet.commands() - before < 50)
        }
    }
}
