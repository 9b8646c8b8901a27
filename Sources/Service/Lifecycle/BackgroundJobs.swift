internal import Concurrency
internal import Configuration
internal import Logging
internal import ServiceLifecycle

/// Runs what the nodes of the graph in force asked to have run beside requests, until the service stops.
final class BackgroundJobs: Service {
    private struct Running {
        let owner: String
        let task: Task<Void, Never>
    }

    private struct State {
        /// The jobs that should run; none before the service runs.
        var wanted: [BackgroundJob]
        /// The jobs that have not ended yet, cancelled or not.
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

    /// How many have not ended yet, those included that were cancelled.
    var count: Int { state.withLock(\.running.count) }

    /// Runs the jobs of another graph from now on. Those of components that it has taken over just go on; its others
    /// are started, and what it does not have is cancelled.
    func replace(with jobs: [BackgroundJob]) {
        state.withLock { state in
            state.wanted = jobs
            guard state.isRunning else { return }
            let goingOn = Set(jobs.filter(\.isTakenOver).map(\.owner))
            let gone = state.running.values.filter { !goingOn.contains($0.owner) }
            for job in jobs where !job.isTakenOver { start(job, &state) }
            for running in gone { running.task.cancel() }
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

    /// A job that fails is an error of the program: it is logged, and the service goes on without it.
    private func perform(_ job: BackgroundJob) async {
        do {
            try await job.run()
        } catch is CancellationError {
        } catch {
            logger.error("a background job failed", metadata: ["job": "\(job.name)", "error": "\(error)"])
        }
    }
}
