import Concurrency
import Configuration
import EventLoop
import FoundationEssentials
import JSON
import Networking
import Redis
import TestSupport
import Testing
internal import Wiring

@testable import Service

/// Replicas of one fleet in one process, each whole and on sockets, with a Redis server and an upstream that counts.
final class FleetStand: Sendable {
    let redis: RedisServer
    let shop: ScriptedShop
    private let runtime: Runtime
    private let directory: TemporaryDirectory
    private let replicas = Shared<[FleetReplica]>([])

    private init(_ redis: RedisServer, _ shop: ScriptedShop) throws {
        (self.redis, self.shop) = (redis, shop)
        directory = try TemporaryDirectory()
        runtime = try Runtime(threads: 1, logger: LogRecorder().logger)
    }

    /// Runs a test with a fleet that has no replicas yet, and stops all.
    static func with(_ body: (FleetStand) async throws -> Void) async throws {
        let redis = try await RedisServer()
        try await ScriptedShop.with { shop in
            shop.publish(edition: 1)
            let fleet = try FleetStand(redis, shop)
            try await attempt {
                try await body(fleet)
            } finally: {
                for replica in fleet.replicas.withLock(\.self) { try await replica.stop() }
                await fleet.runtime.shutdown()
            }
        }
    }

    var settings: FleetSettings { FleetSettings(redis: redis.port, shop: shop.port) }

    /// Starts replicas at once, each with a disk of its own, and returns when all are ready and this can be read in what they
    /// say of the shared store.
    func start(
        _ count: Int, until state: String = "shared: connected, generation ",
        _ adjust: (inout FleetSettings) -> Void = { _ in }
    ) async throws -> [FleetReplica] {
        var started: [FleetReplica] = []
        var settings = settings
        adjust(&settings)
        for _ in 0..<count {
            settings.disk = directory("disk-\(UInt64.random(in: 0...UInt64.max))")
            let replica = try await FleetReplica(settings, client: runtime.client)
            started.append(replica)
            replicas.withLock { $0.append(replica) }
        }
        for replica in started { try await replica.wait(untilItSays: state) }
        // One that was late to connect has asked the upstream by itself, and shares what it has now.
        if state.contains("generation") { try await eventually { try await current("generation", settings) != nil } }
        return started
    }

    /// Sends the server a command as its administrator.
    @discardableResult
    func send(_ words: String...) async throws -> RedisValue { try await send(words: words) }

    @discardableResult
    func send(words: [String]) async throws -> RedisValue {
        let client = RedisClient(
            loop: runtime.loops.loops[0], settings: RedisSettings(url: try RedisURL(settings.url)), channel: nil,
            logger: runtime.logger)
        let running = Task { await client.run() }
        return try await attempt {
            for await event in client.events where event == .connected { break }
            return try await client.send([words.map { Array($0.utf8) }], within: .seconds(20))[0]
        } finally: {
            running.cancel()
            await running.value
        }
    }

    /// A field of the pointer that the replicas with these settings share; nil without one.
    func current(_ field: String, _ settings: FleetSettings? = nil) async throws -> String? {
        try await send("HGET", "\(try (settings ?? self.settings).prefix)current", field).text
    }

    /// The commands that the server has carried out, by whomever they were sent.
    func commands() async throws -> Int {
        let lines = try await send("INFO", "commandstats").text?.split(whereSeparator: \.isNewline) ?? []
        return lines.compactMap { $0.firstMatch(of: /^cmdstat_.*:calls=([0-9]+),/).flatMap { Int($0.output.1) } }
            .reduce(0, +)
    }

    /// Looks at the server as `larder check --connect` does.
    func inspect(_ settings: FleetSettings) async throws -> SharedStoreConnection.Findings {
        let store = try #require(try settings.outline.sharedStores.first)
        return try await store.connection.inspect(
            fingerprint: store.fingerprint, on: runtime.loops.loops[0], logger: runtime.logger)
    }
}

/// The config of a replica: the graph of `config/examples/fleet.yaml`, in which the gate and the store can be changed.
struct FleetSettings: Sendable {
    let redis: Int
    let shop: Int
    /// Goes before the address of the server.
    var user = ""
    var disk = "/nowhere"
    var poll = "1s"
    var whenUnavailable = "refresh_alone"
    var maxShrink = "0.5"

    init(redis: Int, shop: Int) { (self.redis, self.shop) = (redis, shop) }

    var url: String { "redis://\(user)127.0.0.1:\(redis)/0" }

    var yaml: String {
        """
        http: { listen: 127.0.0.1:0, threads: 1, drain: { delay: 1ms, deadline: 10s } }
        admin: { listen: 127.0.0.1:0 }
        stores:
          disk: { type: json_file, directory: "\(disk)", keep: 3 }
          shared:
            { type: redis, url: "\(url)", name: catalogue, poll: \(poll), when_unavailable: \(whenUnavailable) }
        providers:
          local: { type: stored, store: disk }
          remote:
            type: caching
            store: disk
            upstream:
              type: caching
              store: shared
              upstream:
                type: validated
                max_shrink: \(maxShrink)
                upstream:
                  type: http
                  timeout: 20s
                  connect_timeout: 20s
                  request: { base_url: "http://127.0.0.1:\(shop)", path: /products }
          storefront:
            type: memory
            ttl: 30s
            stale_while_revalidate: 1h
            stale_if_error: 1h
            hold_off: 50ms
            upstream: { type: fallback, primary: remote, secondary: local }
        serve: storefront
        """
    }

    var outline: ComponentOutline { get throws { try ServiceSettings.loaded(yaml).root.outline } }

    /// The beginning of all keys that replicas with these settings share.
    var prefix: String {
        get throws { "larder:1:{catalogue:\(try #require(try outline.sharedStores.first).fingerprint)}:" }
    }
}

/// One replica of a fleet, with a clock and a log of its own.
final class FleetReplica: AskedService, Sendable {
    /// A server has no other clock than the machine's, and a replica says when it differs.
    let clock = ManualWallClock(beside: Uptime(of: ContinuousClock()))
    let log = LogRecorder()
    private let service: RunningService
    private let client: HTTPClient

    fileprivate init(_ settings: FleetSettings, client: HTTPClient) async throws {
        self.client = client
        service = try await RunningService(yaml: settings.yaml, clock: clock, log: log)
    }

    func send(
        _ target: String, _ method: String, _ headers: [HTTPHeader], admin: Bool
    ) async throws -> HTTPClientResponse {
        let port = admin ? service.application.adminPort : service.application.port
        return try await client.send(
            HTTPClientRequest(
                method: method, url: "http://127.0.0.1:\(port)\(target)",
                headers: headers + [HTTPHeader("Accept-Encoding", "identity")], limits: .wide))
    }

    /// Gives an order on the operators' port.
    @discardableResult
    func order(_ target: String) async throws -> HTTPClientResponse {
        try await get(target, method: "POST", admin: true)
    }

    /// The edition of the upstream's catalogue that clients get; nil where they get none.
    func edition() async throws -> Int? { Int(try await name().trimmingPrefix("Mug of edition ")) }

    /// Returns as soon as clients get this edition.
    func wait(forEdition edition: Int) async throws {
        try await eventually { try await self.edition() == edition }
    }

    /// Returns as soon as the replica is ready and says this of the shared store.
    func wait(untilItSays state: String) async throws {
        try await eventually {
            let ready = try await get("/readyz?verbose", admin: true)
            return ready.status == 200 && ready.text.contains(state)
        }
    }

    /// Reloads with another config, and returns when it is in force.
    func reload(_ settings: FleetSettings) async throws {
        let count = log.count(of: "notice: reloaded")
        service.reload(settings.yaml)
        await log.wait(for: "notice: reloaded", count: count + 1)
    }

    fileprivate func stop() async throws { try await service.stop() }
}

extension ScriptedShop {
    /// From now on its catalogue is this one.
    func publish(edition: Int, count: Int = 4) {
        let products = (1...count).map { number in
            #"""
            {"type":"physical","id":"\#(number)","name":"\#(GatedUpstream.name(of: edition))",\#
            "price":{"amount":1.5,"currency":"EUR"}}
            """#
        }
        serve("[" + products.joined(separator: ",") + "]")
    }
}
