internal import Configuration
internal import Logging
internal import ServiceLifecycle

/// Runs what the graph's nodes asked to have run beside requests, until the service stops.
struct BackgroundJobs: Service {
    let jobs: [BackgroundJob]
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                for job in jobs { group.addTask { await run(job) } }
            }
        }
    }

    /// A job that fails is an error of the program: it is logged, and the service goes on without it.
    private func run(_ job: BackgroundJob) async {
        do {
            try await job.run()
        } catch is CancellationError {
        } catch {
            logger.error("a background job failed", metadata: ["job": "\(job.name)", "error": "\(error)"])
        }
    }
}
