internal import API
internal import Concurrency
internal import Configuration
internal import FileSystem
internal import HTTPServer
internal import Logging
internal import Products
internal import Prometheus
internal import Providers

/// Puts a config into force in the place of another, with no request lost and no moment without a catalogue.
///
/// The new graph is made around what did not change in the old one, is asked once, and then takes over at one stroke;
/// requests that are under way end on the old one. A config that is bad, whose graph cannot be made, or whose graph has
/// nothing to serve while the old one has, changes nothing but the log and the metrics of reloads.
actor Reloader {
    /// The parts that a reload changes.
    struct Subjects: Sendable {
        let current: CurrentEdition
        let jobs: BackgroundJobs
        let retired: RetiredGraphs
        let readiness: ReadinessTracker
        let runtime: Runtime
        /// Where products are served; nil where they are not.
        var products: HTTPServer?
    }

    private struct NothingToServe: Error, CustomStringConvertible {
        let description: String
    }

    /// How long a new graph may take for its first answer.
    private static let patience = Duration.seconds(10)

    private let subjects: Subjects
    private let log: ReloadLog
    private let status: ReloadStatus
    private let clock: any Clock<Duration>
    private let disk = BlockingQueue("larder config")
    /// In which the graph in force was made.
    private var assembly: Assembly

    /// - Parameters:
    ///   - assembly: in which the graph in force was made.
    ///   - log: what has become of reloads is told there.
    ///   - clock: times the first answer.
    init(
        _ subjects: Subjects, assembly: sending Assembly, log: ReloadLog,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.subjects = subjects
        self.assembly = assembly
        self.log = log
        self.clock = clock
        status = ReloadStatus(
            hash: subjects.current.edition.configuration.hash, wallClock: subjects.runtime.wallClock)
        subjects.runtime.metrics.add(status)
    }

    /// Loads a config and puts it into force. Not to be called again before it has returned.
    func reload(_ load: @escaping @Sendable () throws(ConfigurationError) -> LoadedConfiguration) async {
        do {
            let configuration = try await loaded(load)
            try await replace(by: configuration)
            status.recordSuccess(hash: configuration.hash)
            log.reloaded(configuration, subjects.current.edition)
        } catch {
            if !(error is CancellationError) { status.recordFailure() }
            log.refused(error)
        }
    }

    /// The config, read on a thread of its own. A disk that hangs is left behind when the service stops.
    private func loaded(
        _ load: @escaping @Sendable () throws(ConfigurationError) -> LoadedConfiguration
    ) async throws -> LoadedConfiguration {
        let result = await firstOutcome { [disk] in await disk.run { Result(catching: load) } }
        guard let result else { throw CancellationError() }
        return try result.get()
    }

    private func replace(by configuration: LoadedConfiguration) async throws {
        let old = subjects.current.edition
        let (edition, assembly) = try await make(configuration, replacing: old)
        let first = await FirstAnswer(provider: edition.graph.provider, patience: Self.patience, clock: clock).outcome()
        if case .success(let answer)? = first {
            await edition.prepare(answer)
            take(over: edition, assembly, from: old, answering: answer)
        } else if Task.isCancelled || isServing {
            subjects.retired.add(edition.graph.ownHooks, vacancy: edition.graph.vacancy)
            throw reason(of: first)
        } else {
            take(over: edition, assembly, from: old, answering: nil)
        }
    }

    private var isServing: Bool {
        if case .ready = subjects.readiness.verdict { true } else { false }
    }

    private func reason(of first: Result<ProductsAnswer, any Error>?) -> any Error {
        if Task.isCancelled { return CancellationError() }
        guard case .failure(let error)? = first else {
            return NothingToServe(description: "no first answer within \(Self.patience)")
        }
        return NothingToServe(description: "the first answer is a failure: \(error)")
    }

    /// Makes the graph of a config in place of the one in force, which goes on. What was begun for one that cannot be
    /// made is ended again.
    private func make(
        _ configuration: LoadedConfiguration, replacing old: Edition
    ) async throws -> (Edition, Assembly) {
        let runtime = subjects.runtime
        let assembly = runtime.assembly(for: configuration, replacing: self.assembly, old.graph.observation)
        do {
            let graph = try ServingGraph(configuration, in: assembly)
            let edition = Edition(
                configuration, graph: graph, readiness: subjects.readiness, runtime: runtime, replacing: old)
            return (edition, assembly)
        } catch {
            await assembly.shutdownHooks.reversed().filter { !$0.isTakenOver }.close()
            throw error
        }
    }

    private func take(
        over edition: Edition, _ assembly: Assembly, from old: Edition, answering answer: ProductsAnswer?
    ) {
        subjects.readiness.follow(edition.number, front: edition.graph.catalogueInFront, answering: answer)
        subjects.current.edition = edition
        subjects.jobs.replace(with: edition.graph.backgroundJobs)
        edition.graph.observation?.takeOver(into: edition.graph.tenancy)
        subjects.retired.add(old.graph.hooks(notTakenOverBy: edition.graph), vacancy: old.graph.vacancy)
        subjects.runtime.logLevel?.level = edition.configuration.service.logLevel
        if let tls = edition.configuration.service.http.tls { subjects.products?.renew(tls.certificate) }
        assembly.forgetPrevious()
        self.assembly = assembly
    }
}

/// The graph's answer to the service's own first request, before anything depends on the graph.
struct FirstAnswer: Sendable {
    let provider: any ProductsProvider
    /// How long it may take.
    let patience: Duration
    let clock: any Clock<Duration>

    /// The answer; the failure that came instead; nil when neither came in time, or the caller was cancelled.
    ///
    /// It is no client's request, so it opts out of analytics; below `memory` the refresh that it causes counts as any
    /// other. A graph that does not heed its cancellation is left behind.
    func outcome() async -> Result<ProductsAnswer, any Error>? {
        await firstOutcome(within: patience, clock: clock) {
            do {
                return .success(try await provider.products(for: ProductsRequest(analyticsOptOut: true)))
            } catch {
                return .failure(error)
            }
        }
    }
}
