import Concurrency
import Logging

/// Keeps what is logged, and tells a test when a line has come.
final class LogRecorder: Sendable {
    private struct State {
        var lines: [String] = []
        var metadata: [Logger.Metadata] = []
        var listeners: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())

    /// The lines so far, each with its level before it.
    var lines: [String] { state.withLock(\.lines) }

    var logger: Logger {
        Logger(label: "test") { [self] _ in Handler(recorder: self) }
    }

    func count(of line: String) -> Int {
        lines.count { $0 == line }
    }

    /// What stands beside the message in each line like this one, by name.
    func metadata(of line: String) -> [[String: String]] {
        state.withLock { state in
            zip(state.lines, state.metadata).filter { $0.0 == line }.map { $0.1.mapValues(\.description) }
        }
    }

    /// Returns as soon as the line has come so often, or the test is cancelled.
    func wait(for line: String, count: Int = 1) async {
        let (changes, listener) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.listeners.append(listener) }
        listener.yield()
        for await _ in changes where self.count(of: line) >= count { return }
    }

    private func record(_ line: String, _ metadata: Logger.Metadata) {
        let listeners = state.withLock { state in
            state.lines.append(line)
            state.metadata.append(metadata)
            return state.listeners
        }
        for listener in listeners { listener.yield() }
    }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            recorder.record("\(event.level): \(event.message)", event.metadata ?? [:])
        }
    }
}
