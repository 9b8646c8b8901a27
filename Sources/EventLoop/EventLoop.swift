internal import CEventShim
internal import Concurrency

/// A thread that runs a libevent base, and an executor for Swift tasks.
///
/// The HTTP server and the HTTP client of a core share one loop, so a request is parsed, answered and written without a
/// change of thread. A task whose executor preference is the loop resumes here after every suspension. Work of over a
/// millisecond does not belong on a loop: it delays all its connections.
///
/// Jobs run in the order of their submission. `enqueue`, `execute` and `run` may be called from any thread;
/// the members marked "loop thread" may not.
@safe
package final class EventLoop: TaskExecutor, @unchecked Sendable {
    private enum Work {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    private struct Queue {
        var work: [Work] = []
        /// Set before the base is freed: a late job must not wake a freed loop.
        var isClosed = false
    }

    /// The shim's loop. Set before any job can arrive; freed by `shutdown`.
    private let loop: OpaquePointer
    private let drainTarget: DrainTarget
    /// Submitted work. Locked only to append or to swap.
    private let waiting = Mutex(Queue())
    /// The batch being run. Used on the loop's thread only.
    private var running: [Work] = []
    /// Whether a drain is in progress, which also runs work submitted now. Used on the loop's thread only.
    private var isDraining = false
    /// The most jobs of one pass, before sockets are polled again.
    private static let batch = 4096

    /// Makes the base and starts the thread.
    ///
    /// - Parameter name: the thread's name in `ps -L` and debuggers; 15 bytes are kept.
    /// - Throws: `EventLoopError` when the system refuses a base or a thread.
    package init(name: String) throws(EventLoopError) {
        drainTarget = DrainTarget()
        let context = unsafe Unmanaged.passUnretained(drainTarget).toOpaque()
        let made = unsafe larder_loop_new(
            { context in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<DrainTarget>.fromOpaque(context).takeUnretainedValue().loop?.drain()
            }, context)
        guard let made = unsafe made else { throw .noBase }
        unsafe loop = made
        drainTarget.loop = self
        let failure = unsafe larder_loop_start(loop, name)
        guard failure == 0 else {
            drainTarget.loop = nil
            unsafe larder_loop_join(loop)
            throw .noThread(errno: failure)
        }
    }

    /// The shim's loop, for its server and client. Valid until `shutdown`; to be used on the loop's thread.
    package var handle: OpaquePointer { unsafe loop }

    /// Whether the caller is on this loop's thread.
    package var isCurrent: Bool { unsafe larder_loop_is_current(loop) != 0 }

    package func enqueue(_ job: consuming ExecutorJob) {
        append(.job(UnownedJob(job)))
    }

    /// Runs a closure on the loop, in turn, without waiting for it.
    package func execute(_ work: @escaping @Sendable () -> Void) {
        append(.closure(work))
    }

    /// Runs a closure on the loop, in turn, and returns its result.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            execute { continuation.resume(returning: work()) }
        }
    }

    /// Loop thread: runs `body` and then the waiting jobs. So a task started in `body`, inside a C callback, runs to
    /// its first suspension before the callback returns, instead of one pass later.
    ///
    /// Within a job only `body` runs now: the waiting jobs follow in the same drain.
    package func drain(after body: () -> Void = {}) {
        guard !isDraining else { return body() }
        isDraining = true
        body()
        runWaiting()
        isDraining = false
        if waiting.withLock({ !$0.work.isEmpty }) { unsafe larder_loop_activate(loop) }
    }

    private func runWaiting() {
        var left = Self.batch
        while left > 0 {
            waiting.withLock { swap(&$0.work, &running) }
            guard !running.isEmpty else { return }
            left -= running.count
            for work in running { perform(work) }
            running.removeAll(keepingCapacity: true)
        }
    }

    /// Stops the loop after the jobs submitted so far, joins its thread and frees the base.
    ///
    /// Call once, from another thread, after servers and clients of this loop are closed. A later job is dropped: its
    /// task never resumes.
    package func shutdown() async {
        await run { [self] in unsafe larder_loop_stop(loop) }
        await Task.detached { [self] in
            waiting.withLock { $0.isClosed = true }
            unsafe larder_loop_join(loop)
            drainTarget.loop = nil
        }.value
    }

    private func append(_ work: Work) {
        waiting.withLock { queue in
            guard !queue.isClosed else { return }
            queue.work.append(work)
            guard queue.work.count == 1 else { return }
            if !isCurrent {
                unsafe larder_loop_wake(loop)
            } else if !isDraining {
                unsafe larder_loop_activate(loop)
            }
        }
    }

    private func perform(_ work: Work) {
        switch work {
        case .job(let job): unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        case .closure(let closure): closure()
        }
    }
}

/// The context of the C loop's callbacks: made before the loop it points to, and alive until `EventLoop.shutdown` has
/// joined the thread.
final class DrainTarget: @unchecked Sendable {
    var loop: EventLoop?
}

/// The reason why an event loop could not be made.
package enum EventLoopError: Error, Sendable, CustomStringConvertible {
    /// The system has no descriptor or memory left for a libevent base.
    case noBase
    /// The thread could not be started; carries the `errno`.
    case noThread(errno: Int32)

    package var description: String {
        switch self {
        case .noBase: "no libevent base could be made: too many open files or no memory"
        case .noThread(let errno): "the loop's thread could not be started (errno \(errno))"
        }
    }
}
