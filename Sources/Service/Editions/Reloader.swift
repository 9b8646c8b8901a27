internal import Concurrency
internal import Configuration
internal import FileSystem
internal import HTTPServer
internal import Health
internal import Logging
internal import Products
internal import Prometheus
internal import Providers
internal import Serving

/// Replaces the config in force without losing a request or the catalogue.
///
/// The new graph takes over unchanged components of the old one. It gets one request, and then replaces the old graph
/// at once; running requests end on the old graph. A bad config, a graph that cannot be made, or one without anything
/// to serve while the old one has a catalogue, changes only the log and the metrics of reloads.
actor Reloader {
    /// The parts of the service that a reload changes.
    struct Parts: Sendable {
        let current: CurrentEdition
        let jobs: BackgroundJobs
        let retired: RetiredGraphs
        let readiness: ReadinessTracker
        let runtime: Runtime
        /// The server of the port for products; nil if there is none.
        var products: HTTPServer?
    }

    private struct NothingToServe: Error, CustomStringConvertible {
        let description: String
    }

    /// The time limit of a new graph's first answer.
    private static let timeout = Duration.seconds(10)

    private let parts: Parts
    private let log: ReloadLog
    private let status: ReloadStatus
    private let clock: any Clock<Duration>
    private let disk = BlockingQueue("larder config")
    /// The assembly of the graph in force.
    private var assembly: Assembly

    /// - Parameters:
    ///   - assembly: the assembly of the graph in force.
    ///   - clock: times the first answer.
    init(
        _ parts: Parts, assembly: sending Assembly, log: ReloadLog,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.parts = parts
        self.assembly = assembly
        self.log = log
        self.clock = clock
        status = ReloadStatus(
            hash: parts.current.edition.configuration.hash, wallClock: parts.runtime.wallClock)
        parts.runtime.metrics.add(status)
        parts.runtime.troubles.add(status)
    }

    /// Loads a config and puts it into force. Calls must not overlap.
    func reload(_ load: @escaping @Sendable () throws(ConfigurationError) -> LoadedConfiguration) async {
        do {
            let configuration = try await loaded(load)
            try await replace(by: configuration)
            status.recordSuccess(hash: configuration.hash)
            log.reloaded(configuration, parts.current.edition)
        } catch {
            if !(error is CancellationError) { status.recordFailure(error) }
            log.refused(error)
        }
    }

    /// Reads the config on a thread of its own, so that a hanging disk does not delay the stop.
    private func loaded(
        _ load: @escaping @Sendable () throws(ConfigurationError) -> LoadedConfiguration
    ) async throws -> LoadedConfiguration {
        let result = await firstOutcome { [disk] in await disk.run { Result(catching: load) } }
        guard let result else { throw CancellationError() }
        return try result.get()
    }

    private func replace(by configuration: LoadedConfiguration) async throws {
        let old = parts.current.edition
        let (edition, assembly) = try await make(configuration, replacing: old)
        let begun = parts.jobs.begin(edition.backgroundJobs)
        let first = await FirstAnswer(provider: edition.graph.provider, timeout: Self.timeout, clock: clock).outcome()
        if case .success(let answer)? = first {
            await edition.responses.prepare(answer)
            adopt(edition, assembly, from: old, answering: answer, begun)
        } else if Task.isCancelled || isServing {
            parts.jobs.cancel(begun)
            parts.retired.add(edition.graph.ownHooks, drained: edition.graph.drained)
            throw reason(of: first)
        } else {
            adopt(edition, assembly, from: old, answering: nil, begun)
        }
    }

    private var isServing: Bool {
        switch parts.readiness.verdict {
        case .ready, .empty(reason: ReadinessState.Emptiness.encoding): true
        case .empty, .draining: false
        }
    }

    private func reason(of first: Result<ProductsAnswer, any Error>?) -> any Error {
        if Task.isCancelled { return CancellationError() }
        guard case .failure(let error)? = first else {
            return NothingToServe(description: "no first answer within \(Self.timeout)")
        }
        return NothingToServe(description: "the first answer is a failure: \(error)")
    }

    /// Makes the graph of a config while the one in force serves. Components of a graph that cannot be made are closed.
    private func make(
        _ configuration: LoadedConfiguration, replacing old: Edition
    ) async throws -> (Edition, Assembly) {
        let runtime = parts.runtime
        let assembly = runtime.assembly(for: configuration, replacing: self.assembly, old.graph.observation)
        do {
            let graph = try ServingGraph(configuration, in: assembly)
            let edition = Edition(
                configuration, graph: graph, readiness: parts.readiness, runtime: runtime, replacing: old)
            return (edition, assembly)
        } catch {
            await assembly.shutdownHooks.reversed().filter { !$0.isTakenOver }.close()
            throw error
        }
    }

    private func adopt(
        _ edition: Edition, _ assembly: Assembly, from old: Edition, answering answer: ProductsAnswer?,
        _ begun: Set<Int>?
    ) {
        parts.readiness.follow(edition.number, front: edition.graph.front, answering: answer)
        // Before the first request: leases include the place of a provider in the graph.
        edition.graph.observation?.takeOver(into: edition.graph.graphUse)
        parts.current.edition = edition
        parts.jobs.replace(with: edition.backgroundJobs, begun: begun)
        parts.retired.add(old.graph.hooks(notTakenOverBy: edition.graph), drained: old.graph.drained)
        parts.runtime.exportTelemetry(of: edition)
        parts.runtime.logLevel?.level = edition.configuration.service.logLevel
        if let tls = edition.configuration.service.http.tls { parts.products?.renew(tls.certificate) }
        assembly.forgetPrevious()
        self.assembly = assembly
    }
}

/// Sends one request to a new graph, before clients depend on it.
struct FirstAnswer: Sendable {
    let provider: any ProductsProvider
    /// The longest wait.
    let timeout: Duration
    let clock: any Clock<Duration>

    /// The answer or failure; nil if neither came in time, or the caller was cancelled.
    ///
    /// The request is not a client's, so it opts out of analytics; a refresh that it causes below `memory` is counted.
    /// It does not wait for a graph that ignores cancellation.
    func outcome() async -> Result<ProductsAnswer, any Error>? {
        await firstOutcome(within: timeout, clock: clock) {
            do {
                return .success(try await provider.products(for: ProductsRequest(analyticsOptOut: true)))
            } catch {
                return .failure(error)
            }
        }
    }
}
