internal import Concurrency
internal import Configuration
internal import Logging
internal import ServiceLifecycle

/// Runs the background jobs of the graph in force, until the service stops.
final class BackgroundJobs: Service {
    private struct Running {
        let owner: String
        let task: Task<Void, Never>
    }

    private struct State {
        /// The jobs of the graph in force; none runs before the service.
        var wanted: [BackgroundJob]
        /// The jobs that have not ended, cancelled ones included.
        var running: [Int: Running] = [:]
        var started = 0
        var isRunning = false
    }

    private let logger: Logger
    private let state: Mutex<State>

    init(jobs: [BackgroundJob], logger: Logger) {
        self.logger = logger
        state = Mutex(State(wanted: jobs))
    }

    /// The number of jobs that have not ended, cancelled ones included.
    var count: Int { state.withLock(\.running.count) }

    /// Starts the jobs of a graph that begin before it is in force.
    /// - Returns: the numbers of the started ones; nil while the service does not run.
    func begin(_ jobs: [BackgroundJob]) -> Set<Int>? {
        state.withLock { state in
            guard state.isRunning else { return nil }
            let first = state.started
            for job in jobs where job.startsEarly && !job.isTakenOver { start(job, &state) }
            return Set(first..<state.started)
        }
    }

    /// Cancels jobs that have begun for a refused graph.
    func cancel(_ begun: Set<Int>?) {
        let tasks = state.withLock { state in (begun ?? []).compactMap { state.running[$0]?.task } }
        for task in tasks { task.cancel() }
    }

    /// Replaces the jobs by those of another graph. Jobs of components taken over continue, its other jobs start, and
    /// the rest is cancelled.
    ///
    /// - Parameter begun: those of its jobs that run already; nil if none was begun.
    func replace(with jobs: [BackgroundJob], begun: Set<Int>? = nil) {
        state.withLock { state in
            state.wanted = jobs
            guard state.isRunning else { return }
            let goingOn = Set(jobs.filter(\.isTakenOver).map(\.owner))
            let gone = state.running.filter { number, running in
                !goingOn.contains(running.owner) && begun?.contains(number) != true
            }
            for job in jobs where !job.isTakenOver && !(job.startsEarly && begun != nil) { start(job, &state) }
            for running in gone.values { running.task.cancel() }
        }
    }

    func run() async throws {
        state.withLock { state in
            state.isRunning = true
            for job in state.wanted { start(job, &state) }
        }
        try? await gracefulShutdown()
        let running = state.withLock { state in
            state.isRunning = false
            return Array(state.running.values)
        }
        for running in running { running.task.cancel() }
        for running in running { await running.task.value }
    }

    private func start(_ job: BackgroundJob, _ state: inout State) {
        let number = state.started
        state.started += 1
        let task = Task.detached { [self] in
            await perform(job)
            self.state.withLock { $0.running[number] = nil }
        }
        state.running[number] = Running(owner: job.owner, task: task)
    }

    /// Logs the failure of a job, which is a bug; the service continues without the job.
    private func perform(_ job: BackgroundJob) async {
        do {
            try await job.run()
        } catch is CancellationError {
        } catch {
            logger.error("a background job failed", metadata: ["job": "\(job.name)", "error": "\(error)"])
        }
    }
}
