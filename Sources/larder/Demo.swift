internal import ArgumentParser
internal import Configuration
internal import Logging
import PracticeUpstream
internal import Service
internal import ServiceLifecycle

struct Demo: ServingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs the practice upstream on port 8081 and the service on port 8080, together.")

    @OptionGroup var options: ConfigOption

    @Option(
        help: "The address of the practice upstream, which the config finds in LARDER_UPSTREAM.",
        transform: NetworkAddress.reading)
    var upstream = NetworkAddress.practice

    func run(in environment: CommandEnvironment) async throws {
        let signals = SignalWatch.begun()
        let path = options.path(in: environment, default: Self.usualPath)
        var environment = environment
        if path == Self.usualPath { environment.builtInConfig = Self.builtInConfig }
        environment.variables["LARDER_UPSTREAM"] = address(port: upstream.port)
        environment.variables["LARDER_UPSTREAM_SCHEME"] = "http"
        var configuration = try environment.load(path, notesWarnings: false)
        let runtime = try Runtime(
            threads: configuration.service.http.threads, logLevel: configuration.service.logLevel,
            format: configuration.service.logFormat)
        defer { runtime.flushLog() }
        runtime.exposeLibraryMetrics()
        let shop: PracticeUpstream
        do {
            shop = try await PracticeUpstream(catalogue: .madeUp(), logger: runtime.logger) {
                runtime.server(upstream, handlerOnLoop: $0)
            }
        } catch {
            throw CommandFailure("larder: \(error)")
        }
        if shop.port != upstream.port {
            environment.variables["LARDER_UPSTREAM"] = address(port: shop.port)
            configuration = try environment.load(path, notesWarnings: false)
        }
        let application = try await Application.make(
            configuration, runtime: runtime, reloadingFrom: environment.reloadSource(path, signals))
        environment.report(
            """
            try:  curl -i localhost:\(application.port)/products
                  curl -X PUT 'localhost:\(shop.port)/_fault?mode=down'   # the upstream goes away; ask again
                  curl -X PUT 'localhost:\(shop.port)/_fault?mode=none'   # and comes back
            and watch http://localhost:\(application.adminPort)/graph.html
            """)
        let status = try await application.run(heeding: signals)
        await shop.stop()
        await runtime.shutdown()
        guard status == 0 else { throw ExitCode(status) }
    }

    private static let usualPath = "config/demo.yaml"

    /// The file in the usual place, for a program installed without it.
    static let builtInConfig = #"""
        # What `larder demo` runs: the default graph with a short ttl, next to the practice upstream on port 8081.
        http:
          listen: 127.0.0.1:8080
        admin:
          listen: 127.0.0.1:9090
        stores:
          disk: { type: json_file, directory: "${LARDER_DATA:-.larder}", keep: 3 }
        analytics:
          events: { type: file, path: "${LARDER_DATA:-.larder}/events.jsonl" }
        monitors:
          upstream: { type: tcp, address: "${LARDER_UPSTREAM:-127.0.0.1:8081}", interval: 2s, timeout: 1s, fall: 2, rise: 1 }
        providers:
          local: { type: analytics, sink: events, event: products_cache_hit, upstream: { type: stored, store: disk } }
          remote:
            type: caching
            store: disk
            upstream:
              type: validated
              baseline: disk
              # Such prices wait ten minutes in quarantine, with a warning, and then are served.
              warn_max_price_change: { factor: 3, share: 0.5 }
              upstream:
                type: analytics
                sink: events
                event: products_network_hit
                upstream: shop
          shop: { type: http, request: { base_url: "http://${LARDER_UPSTREAM:-127.0.0.1:8081}", path: /products } }
          storefront:
            type: memory
            ttl: 5s
            stale_while_revalidate: 10s
            upstream:
              type: fallback
              primary: { type: reachability, monitor: upstream, remote: remote, local: local }
              secondary: local
        serve: storefront

        """#

    /// The address of the practice upstream on this machine, also if it listens on all addresses.
    private func address(port: Int) -> String {
        "\(NetworkAddress(host: upstream.reachable.host, port: port))"
    }
}

struct Upstream: ServingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs a practice upstream with faults that can be switched: PUT /_fault?mode=down.")

    @Option(help: "The address to listen on.", transform: NetworkAddress.reading)
    var listen = NetworkAddress.practice

    @Option(help: "A JSON file with products; by default a generated catalogue.")
    var catalogue: String?

    /// Runs until SIGTERM, SIGINT or SIGHUP, even during the start, also as process 1 of a container.
    func run(in environment: CommandEnvironment) async throws {
        let signals = SignalWatch.begun()
        let runtime = try Runtime(threads: 1, logLevel: .info)
        defer { runtime.flushLog() }
        do {
            let shop = try await PracticeUpstream(catalogue: .load(catalogue), logger: runtime.logger) {
                runtime.server(listen, handlerOnLoop: $0)
            }
            let group = ServiceGroup(services: [shop], logger: runtime.logger)
            // There is nothing to reload.
            let stopping = [signals.stops, signals.reloads].map { requests in
                Task { for await _ in requests { await group.triggerGracefulShutdown() } }
            }
            defer { for task in stopping { task.cancel() } }
            try await group.run()
        } catch {
            throw CommandFailure("larder: \(error)")
        }
        await runtime.shutdown()
    }
}
