package import Concurrency
package import CoreMetrics
internal import FoundationEssentials
package import Health
package import Logging
package import Prometheus
package import Tracing

/// Exports spans and metrics to a collector.
///
/// Recording a span appends it to a bounded queue under a short lock, whatever the collector does. One task sends the
/// spans in batches; another sends the metrics at intervals. A batch that the collector cannot take now is sent again a
/// few times, and then dropped and counted. Metrics are totals, so the next ones make up for those that failed.
package final class OTLPExporter: SpanSink, TroubleReporting {
    /// The destination of a config.
    package struct Destination: Sendable {
        let endpoint: OTLPEndpoint
        /// Returns all metrics; nil if they are not exported.
        let metrics: (@Sendable () async -> [MetricFamily])?

        package init(_ endpoint: OTLPEndpoint, metrics: (@Sendable () async -> [MetricFamily])?) {
            (self.endpoint, self.metrics) = (endpoint, metrics)
        }
    }

    private struct State: Sendable {
        var destination: Destination?
        /// Made with the first destination, so that services without one do not expose it.
        var meter: OTLPMeter?
        var waiting: [FinishedSpan] = []
        /// The spans that the task has taken and not yet sent or dropped.
        var taken = 0
        /// The spans that did not fit since the last batch.
        var lost = 0
        var pause: Task<Void, Never>?
        var isClosed = false

        var isDue: Bool { waiting.count >= OTLPExporter.batch || isClosed && !waiting.isEmpty }
    }

    /// The usual limits of the protocol's exporters.
    private static let capacity = 2048
    private static let batch = 512
    private static let gathering = Duration.seconds(5)
    private static let interval = Duration.seconds(15)
    private static let tries = 5
    private static let backoff = Backoff(base: .seconds(1), cap: .seconds(10))
    /// The longest pause that a collector may ask for.
    private static let longestWait = Duration.seconds(60)

    private let resource: OTLPResource
    private let factory: any MetricsFactory
    private let wallClock: WallClock
    private let clock: any Clock<Duration>
    private let jitter: JitterSource
    private let start: Int64
    private let logger: Logger
    private let troubleLog: TroubleLog<TelemetryTrouble>
    private let state = Mutex(State())
    private let spans = WokenTask()
    private let metrics = WokenTask()

    /// - Parameter factory: makes the exporter's own counters.
    package init(
        _ resource: OTLPResource, factory: any MetricsFactory, logger: Logger, wallClock: WallClock = .system,
        clock: any Clock<Duration> = ContinuousClock(), jitter: JitterSource = .system
    ) {
        (self.resource, self.factory, self.wallClock) = (resource, factory, wallClock)
        (self.clock, self.jitter) = (clock, jitter)
        (self.logger, start) = (logger, Self.nanoseconds(wallClock))
        troubleLog = TroubleLog(logger, wallClock: wallClock)
    }

    package var troubles: [Trouble] { troubleLog.troubles }

    /// Sends to this destination from now on; nil for none, and what waits is then forgotten.
    package func send(to destination: Destination?) {
        state.withLock { state in
            state.destination = destination
            if destination == nil { state.waiting = [] }
            if destination != nil, state.meter == nil { state.meter = OTLPMeter(factory) }
        }
        if destination == nil { TelemetryTrouble.all.forEach { troubleLog.report($0, cause: nil) } }
        if destination?.metrics != nil { metrics.wake() }
    }

    /// Starts the tasks. To be called once.
    package func run() {
        spans.start { [self] in await sendSpans() }
        metrics.start { [self] in await sendMetrics() }
    }

    /// Sends what waits and the last metrics, within this time. Spans that are left are dropped.
    package func close(within limit: Duration) async {
        let pause = state.withLock { state in
            state.isClosed = true
            return state.pause
        }
        pause?.cancel()
        async let sent: Void = spans.close(within: limit, timeout: limit * 0.9, clock: clock)
        await metrics.close(within: limit, timeout: limit * 0.9, clock: clock)
        await sent
        let (left, meter) = state.withLock { state in
            defer { (state.waiting, state.taken, state.destination) = ([], 0, nil) }
            return (state.waiting.count + state.taken, state.meter)
        }
        meter?.drop(left, .closed)
        if left > 0 {
            logger.warning("spans are lost, the collector has not taken them in time", metadata: ["spans": "\(left)"])
        }
    }

    package func record(_ span: FinishedSpan) {
        let (count, lost) = state.withLock { state -> (Int, OTLPMeter?) in
            guard state.destination != nil else { return (0, nil) }
            guard state.waiting.count + state.taken < Self.capacity else {
                state.lost += 1
                return (0, state.meter)
            }
            state.waiting.append(span)
            return (state.waiting.count, nil)
        }
        lost?.drop(1, .queueFull)
        if count == 1 { spans.wake(after: Self.gathering, clock: clock) }
        if count == Self.batch { spans.wake() }
    }

    private func sendSpans() async {
        repeat {
            let (all, lost) = state.withLock { state in
                defer { (state.waiting, state.lost) = ([], 0) }
                state.taken += state.waiting.count
                return (state.waiting, state.lost)
            }
            report(.full, .traces, lost > 0 ? "\(Self.capacity) spans wait, further ones are dropped" : nil)
            for index in stride(from: 0, to: all.count, by: Self.batch) {
                let batch = all[index..<min(index + Self.batch, all.count)]
                if await send(batch) { state.withLock { $0.taken = max(0, $0.taken - batch.count) } }
            }
            if state.withLock({ $0.lost == 0 }) { report(.full, .traces, nil) }
        } while !Task.isCancelled && state.withLock(\.isDue)
    }

    /// Sends a batch until the collector has taken or refused it, or drops it.
    ///
    /// - Returns: whether this is done; false if the exporter closes before.
    private func send(_ batch: ArraySlice<FinishedSpan>) async -> Bool {
        let body = try? await offLoop { [resource] in resource.request(batch) }
        guard let body, let meter = state.withLock(\.meter) else { return false }
        for attempt in 1...Self.tries {
            guard let destination = state.withLock(\.destination) else { return true }
            let outcome = await destination.endpoint.send(.traces, body)
            meter.count(.traces, outcome)
            report(outcome, .traces)
            switch outcome {
            case .taken(let rejected, _):
                meter.take(batch.count, rejected: rejected)
                return true
            case .refused:
                meter.drop(batch.count, .refused)
                return true
            case .interrupted: return false
            case .failed(_, let wait):
                if attempt < Self.tries {
                    let pause = Self.backoff.pause(after: attempt) * jitter.next()
                    await rest(max(min(wait, Self.longestWait), pause))
                }
            }
            if state.withLock(\.isClosed), attempt > 1 { return false }
        }
        meter.drop(batch.count, .undelivered)
        return true
    }

    private func sendMetrics() async {
        guard let destination = state.withLock(\.destination), let metrics = destination.metrics else { return }
        let families = await metrics()
        let time = Self.nanoseconds(wallClock)
        let body = try? await offLoop { [resource, start] in resource.request(families, since: start, at: time) }
        let outcome = await destination.endpoint.send(.metrics, body ?? [])
        state.withLock(\.meter)?.count(.metrics, outcome)
        report(outcome, .metrics)
        self.metrics.wake(after: Self.interval, clock: clock)
    }

    /// Waits before another try, at most until the exporter closes.
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

    private func report(_ outcome: OTLPEndpoint.Outcome, _ signal: OTLPSignal) {
        switch outcome {
        case .taken(let rejected, let reason):
            report(.undelivered, signal, nil)
            report(.refused, signal, rejected > 0 ? "a part is rejected: \(reason)" : nil)
        case .refused(let text):
            report(.undelivered, signal, nil)
            report(.refused, signal, text)
        case .failed(let text, _): report(.undelivered, signal, text)
        case .interrupted: break
        }
    }

    private func report(_ problem: TelemetryTrouble.Problem, _ signal: OTLPSignal, _ cause: String?) {
        var metadata: Logger.Metadata = ["signal": "\(signal)"]
        metadata["error"] = cause.map { "\($0)" }
        troubleLog.report(TelemetryTrouble(problem, signal), cause: cause, metadata)
    }

    private static func nanoseconds(_ clock: WallClock) -> Int64 { Int64(clock.now().timeIntervalSince1970 * 1e9) }
}
