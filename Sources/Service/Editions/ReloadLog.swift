internal import Concurrency
internal import Configuration
internal import EventLoop
internal import FoundationEssentials
internal import GraphTools
internal import Health
internal import Logging
internal import OperatorsAPI
internal import Products
internal import Prometheus
internal import ServiceLifecycle

/// Logs the outcomes of reloads.
struct ReloadLog: Sendable {
    let logger: Logger
    /// The configuration at the start of the process.
    let started: ServiceConfiguration

    /// Logs that a config is in force, and which of its settings require a restart.
    func reloaded(_ configuration: LoadedConfiguration, _ edition: Edition) {
        report(configuration.warnings)
        let waiting = RestartOnlySettings.changed(from: started, to: configuration.service)
        if !waiting.isEmpty {
            logger.warning(
                "some settings take effect after a restart only",
                metadata: ["settings": .array(waiting.map { "\($0)" })])
        }
        let facts = started.http.tls == nil ? [:] : configuration.service.http.tls?.metadata ?? [:]
        logger.notice("reloaded", metadata: facts.merging(["edition": .stringConvertible(edition.number)]) { $1 })
        logger.logGraph(edition.graph.outline)
    }

    /// Logs that a config was refused, and the previous one stays in force.
    func refused(_ error: any Error) {
        switch error {
        case is CancellationError:
            logger.notice("reload cancelled, the service stops")
        case let error as ConfigurationError:
            report(error.diagnostics)
            logger.error("reload refused, the old config stays")
        default:
            logger.error("reload refused, the old config stays", metadata: ["error": "\(error)"])
        }
    }

    /// Logs the warnings and errors of a config.
    func report(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics {
            let level = diagnostic.severity == .error ? Logger.Level.error : .warning
            logger.log(level: level, "config", metadata: ["problem": "\(diagnostic)"])
        }
    }
}

/// Reloads on request, one reload at a time, until the service stops. Requests during the start are executed after it;
/// requests during the stop are not.
struct Reloading: Service {
    let source: ReloadSource
    let reloader: Reloader
    let manager: ServiceManager?

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in source.requests {
                manager?.tell(.reloading)
                await reloader.reload(source.load)
                manager?.tell(.ready)
            }
        }
    }
}

extension Logger {
    /// Logs the new graph as the tree that `larder graph` prints.
    func logGraph(_ root: ComponentOutline) {
        info("graph", metadata: ["tree": "\(GraphFormat.text.render(root))"])
    }
}

/// Exposes the result of the last attempt to load the config, and the config in force. The start counts as a success.
final class ReloadStatus: MetricsCollector, TroubleReporting {
    private struct State {
        var hash: String
        var isSuccessful = true
        var lastSuccess: Date
    }

    private let wallClock: WallClock
    private let state: Mutex<State>
    private let book: TroubleBook

    /// - Parameter hash: the SHA-256 of the config that the process was started with.
    init(hash: String, wallClock: WallClock) {
        self.wallClock = wallClock
        book = TroubleBook(wallClock: wallClock)
        state = Mutex(State(hash: hash, lastSuccess: wallClock.now()))
    }

    /// Records that the config with this hash is in force.
    func recordSuccess(hash: String) {
        let now = wallClock.now()
        state.withLock { $0 = State(hash: hash, lastSuccess: now) }
        book.record(.reload, nil)
    }

    /// Records that a config was refused and the previous one stays in force.
    func recordFailure(_ error: any Error) {
        state.withLock { $0.isSuccessful = false }
        let problems = (error as? ConfigurationError)?.diagnostics.filter { $0.severity == .error } ?? []
        let cause = problems.first.map { "\($0)" } ?? "\(error)"
        let more = problems.count > 1 ? "; \(problems.count - 1) more in the log" : ""
        book.record(.reload, "refused, the config before stays in force: \(cause)\(more)")
    }

    /// The refusal by the last reload.
    var troubles: [Trouble] { book.troubles }

    func families() async -> [MetricFamily] {
        let state = state.withLock { $0 }
        return [
            MetricFamily(.configLastReloadSuccessful, .count(state.isSuccessful ? 1 : 0)),
            MetricFamily(.configLastReloadSuccess, .timestamp(state.lastSuccess)),
            MetricFamily(.config, "hash", [(state.hash, .count(1))]),
        ]
    }
}
