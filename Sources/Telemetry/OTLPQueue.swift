internal import Concurrency
internal import Health
internal import JSON
internal import Logging

/// A record that is exported in batches.
protocol OTLPRecord: Sendable {
    static var signal: OTLPSignal { get }
    /// The record in the JSON form of the protocol.
    var json: JSONObject { get }
}

/// The usual limits of the protocol's exporters.
private enum Limits {
    static let capacity = 2048
    static let batch = 512
    static let gathering = Duration.seconds(5)
    static let tries = 5
    static let backoff = Backoff(base: .seconds(1), cap: .seconds(10))
    /// The longest pause that a collector may ask for.
    static let longestWait = Duration.seconds(60)
}

/// The records of one signal on their way to the collector.
///
/// Recording appends to a bounded queue under a short lock, whatever the collector does. One task sends the records in
/// batches. A batch that the collector cannot take now is sent again a few times, and then dropped and counted.
final class OTLPQueue<Record: OTLPRecord>: Sendable {
    private struct State: Sendable {
        var endpoint: OTLPEndpoint?
        var meter: OTLPMeter?
        /// Whether records wait for the first config.
        var isUndecided: Bool
        var waiting: [Record] = []
        /// The records that the task has taken and not yet sent or dropped.
        var taken = 0
        /// The records that did not fit since the last batch.
        var lost = 0
        var pause: Task<Void, Never>?
        var isClosed = false

        var isOpen: Bool { endpoint != nil || isUndecided }
        var isDue: Bool { waiting.count >= Limits.batch || isClosed && !waiting.isEmpty }
    }

    private let resource: OTLPResource
    private let clock: any Clock<Duration>
    private let jitter: JitterSource
    private let troubleLog: TroubleLog<TelemetryTrouble>
    private let state: Mutex<State>
    private let task = WokenTask()

    /// - Parameter keepsEarly: whether records wait until a config says whether they are sent.
    init(
        _ resource: OTLPResource, _ troubleLog: TroubleLog<TelemetryTrouble>, keepsEarly: Bool,
        clock: any Clock<Duration>, jitter: JitterSource
    ) {
        (self.resource, self.troubleLog, self.clock, self.jitter) = (resource, troubleLog, clock, jitter)
        state = Mutex(State(isUndecided: keepsEarly))
    }

    /// Whether records are taken.
    var isOpen: Bool { state.withLock(\.isOpen) }

    /// Sends there from now on; nil for nowhere, and what waits is then forgotten.
    func send(to endpoint: OTLPEndpoint?, _ meter: OTLPMeter?) {
        state.withLock { state in
            (state.endpoint, state.meter, state.isUndecided) = (endpoint, meter, false)
            if endpoint == nil { state.waiting = [] }
        }
        if endpoint == nil { troubleLog.end(of: Record.signal) }
    }

    /// Starts the task. To be called once.
    func run() {
        task.start { [self] in await sendWaiting() }
    }

    func record(_ record: Record) {
        let (count, lost) = state.withLock { state -> (Int, OTLPMeter?) in
            guard state.isOpen else { return (0, nil) }
            guard state.waiting.count + state.taken < Limits.capacity else {
                state.lost += 1
                return (0, state.meter)
            }
            state.waiting.append(record)
            return (state.waiting.count, nil)
        }
        lost?.drop(1, .queueFull)
        if count == 1 { task.wake(after: Limits.gathering, clock: clock) }
        if count == Limits.batch { task.wake() }
    }

    /// Counts records that were lost before they came here.
    func drop(_ count: Int, _ reason: OTLPMeter.Loss) {
        state.withLock(\.meter)?.drop(count, reason)
    }

    /// Sends what waits, within this time. Records that are left are dropped.
    ///
    /// - Returns: their number.
    func close(within limit: Duration) async -> Int {
        let pause = state.withLock { state in
            state.isClosed = true
            return state.pause
        }
        pause?.cancel()
        await task.close(within: limit, timeout: limit * 0.9, clock: clock)
        let left = state.withLock { state in
            defer { (state.waiting, state.taken, state.endpoint, state.isUndecided) = ([], 0, nil, false) }
            return state.endpoint == nil ? 0 : state.waiting.count + state.taken
        }
        drop(left, .closed)
        return left
    }

    private func sendWaiting() async {
        repeat {
            let (all, lost) = state.withLock { state in
                defer { (state.waiting, state.lost) = ([], 0) }
                state.taken += state.waiting.count
                return (state.waiting, state.lost)
            }
            let words = "\(Limits.capacity) \(Record.signal.records) wait, further ones are dropped"
            troubleLog.report(.full, Record.signal, lost > 0 ? words : nil)
            for index in stride(from: 0, to: all.count, by: Limits.batch) {
                let batch = all[index..<min(index + Limits.batch, all.count)]
                if await send(batch) { state.withLock { $0.taken = max(0, $0.taken - batch.count) } }
            }
            if state.withLock({ $0.lost == 0 }) { troubleLog.report(.full, Record.signal, nil) }
        } while !Task.isCancelled && state.withLock(\.isDue)
    }

    /// Sends a batch until the collector has taken or refused it, or drops it.
    ///
    /// - Returns: whether this is done; false if the queue closes before.
    private func send(_ batch: ArraySlice<Record>) async -> Bool {
        let body = try? await offLoop { [resource] in resource.request(batch) }
        guard let body, let meter = state.withLock(\.meter) else { return false }
        for attempt in 1...Limits.tries {
            guard let endpoint = state.withLock(\.endpoint) else { return true }
            let outcome = await endpoint.send(Record.signal, body)
            meter.count(outcome)
            troubleLog.report(outcome, Record.signal)
            switch outcome {
            case .taken(let rejected, _):
                meter.take(batch.count, rejected: rejected)
                return true
            case .refused:
                meter.drop(batch.count, .refused)
                return true
            case .interrupted: return false
            case .failed(_, let wait):
                if attempt < Limits.tries {
                    let pause = Limits.backoff.pause(after: attempt) * jitter.next()
                    await rest(max(min(wait, Limits.longestWait), pause))
                }
            }
            if state.withLock(\.isClosed), attempt > 1 { return false }
        }
        meter.drop(batch.count, .undelivered)
        return true
    }

    /// Waits before another try, at most until the queue closes.
    private func rest(_ time: Duration) async {
        let pause = Task { [clock] in _ = try? await clock.sleep(for: time) }
        state.withLock { state in
            state.pause = pause
            if state.isClosed { pause.cancel() }
        }
        await withTaskCancellationHandler {
            await pause.value
        } onCancel: {
            pause.cancel()
        }
    }
}
