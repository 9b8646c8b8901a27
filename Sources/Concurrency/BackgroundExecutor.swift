internal import Dispatch

/// Threads for work that takes over a millisecond, as many as cores, at a lower scheduling priority than the event loops.
///
/// An event loop has to get a core as soon as a request arrives, however many catalogues are decoded at that moment; beside
/// threads of its own priority it would have to wait for its share. Dispatch has a pool of threads for each quality of
/// service, and on Linux gives those of `background` a nice value of 10: about a tenth of a core that a loop keeps busy,
/// so the work goes on under any load.
///
/// A thread inherits the nice value of the thread that starts it, and cannot lower it without privilege. So a thread of
/// Swift's global pool, of the log or of a `BlockingQueue` may have it too, until it ends after seconds without work. The
/// loops do not, since they are started before any work is; what clients wait for at every request belongs there.
///
/// Jobs start in the order in which they were handed over, and none may block: a disk belongs on a `BlockingQueue`, and
/// short work that a client waits for on the global pool, where it does not queue behind long jobs.
package final class BackgroundExecutor: TaskExecutor {
    /// The only one: all would share the same threads.
    package static let shared = BackgroundExecutor()

    private let queue = DispatchQueue(label: "larder background", qos: .background, attributes: .concurrent)

    private init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

/// Runs work that may take over a millisecond (decoding, checking, hashing) in the background of the event loops, and comes
/// back to the caller's executor.
package func offLoop<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(BackgroundExecutor.shared) { try await work() }
}
