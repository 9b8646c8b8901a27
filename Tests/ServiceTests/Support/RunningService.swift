import Concurrency
import Configuration
import EventLoop
import HTTPServer
import Logging
import Networking
import Products
import ServiceLifecycle
import TestSupport

@testable import Service

/// The service on ports of its own, run like `larder serve`, and stopped without a signal.
struct RunningService {
    let application: Application
    private let config: Shared<String>
    private let request: AsyncStream<Void>.Continuation
    private let runtime: Runtime
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    /// - Parameter add: registers component types of a test beside the service's own.
    init(
        yaml: String, clock: ManualWallClock, log: LogRecorder, pauses: any Clock<Duration> = ContinuousClock(),
        adding add: @escaping @Sendable (inout ComponentRegistry) -> Void = { _ in }
    ) async throws {
        let wallClock = clock.wallClock
        let runtime = try Runtime(threads: 1, logger: log.logger, wallClock: wallClock, clock: pauses)
        self.runtime = runtime
        let config = Shared(yaml)
        self.config = config
        let requests: AsyncStream<Void>
        (requests, request) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        do {
            let source = ReloadSource(requests: requests) { () throws(ConfigurationError) in
                try LoadedConfiguration.checked(config.withLock { $0 }, adding: add)
            }
            application = try await Application(
                try LoadedConfiguration.checked(yaml, adding: add), runtime: runtime, reloadingFrom: source)
        } catch {
            await runtime.shutdown()
            throw error
        }
        let group = ServiceGroup(services: [WholeService(application: application)], logger: log.logger)
        self.group = group
        running = Task { try await group.run() }
    }

    /// Starts a reload of this config.
    func reload(_ yaml: String) {
        config.withLock { $0 = yaml }
        request.yield()
    }

    /// Drains, closes, and returns when nothing is left.
    func stop() async throws {
        await group.triggerGracefulShutdown()
        try await running.value
        await runtime.shutdown()
    }
}

/// An application as one service of a group that a test stops.
struct WholeService: ServiceLifecycle.Service {
    let application: Application

    func run() async throws { try await application.run() }
}

/// The default graph with the changes of a test.
struct ServiceSettings {
    var upstream: String
    var data: String
    var ttl = "10s"
    var staleWhileRevalidate = "20s"
    var staleIfError = "1h"
    var holdOff = "50ms"
    /// Wide enough for a busy machine, except where a test narrows it.
    var timeout = "20s"
    var maxBody = "1MiB"
    var path = "/products"
    var isMonitored = true
    var events = "events.jsonl"
    var keep = 3
    /// The provider that is served.
    var serve = "storefront"
    /// The rest of `http:`.
    var http = "listen: 127.0.0.1:0"
    /// More of the top level.
    var sections = ""

    private var monitor: String {
        isMonitored
            ? "{ type: tcp, address: \"\(upstream)\", interval: 50ms, timeout: 20s, fall: 2, rise: 1 }"
            : "{ type: always }"
    }

    var yaml: String {
        """
        \(sections)
        http: { \(http), threads: 1, drain: { delay: 1ms, deadline: 10s } }
        admin: { listen: 127.0.0.1:0 }
        stores:
          disk: { type: json_file, directory: "\(data)/store", keep: \(keep) }
        analytics:
          events: { type: file, path: "\(data)/\(events)" }
        monitors:
          upstream: \(monitor)
        providers:
          local: { type: analytics, sink: events, event: products_cache_hit, upstream: { type: stored, store: disk } }
          remote:
            type: caching
            store: disk
            upstream:
              type: validated
              baseline: disk
              upstream:
                type: analytics
                sink: events
                event: products_network_hit
                upstream:
                  type: http
                  timeout: \(timeout)
                  connect_timeout: 20s
                  max_body: \(maxBody)
                  request: { base_url: "http://\(upstream)", path: \(path) }
          storefront:
            type: memory
            ttl: \(ttl)
            stale_while_revalidate: \(staleWhileRevalidate)
            stale_if_error: \(staleIfError)
            hold_off: \(holdOff)
            upstream:
              type: fallback
              primary: { type: reachability, monitor: upstream, remote: remote, local: local }
              secondary: local
        serve: \(serve)
        """
    }

    func loaded() throws -> LoadedConfiguration { try Self.loaded(yaml) }

    static func loaded(_ yaml: String) throws(ConfigurationError) -> LoadedConfiguration {
        try LoadedConfiguration.check(try ConfigDocument.parse(yaml, file: "test.yaml", environment: [:]))
    }
}
