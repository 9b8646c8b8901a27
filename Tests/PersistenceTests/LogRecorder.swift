import Logging
import Locks

/// Keeps what is logged, for tests to look at.
final class LogRecorder: Sendable {
    private let lines = Mutex<[String]>([])

    /// The lines so far, each with its level before it.
    var recorded: [String] { lines.withLock { $0 } }

    var logger: Logger {
        Logger(label: "test") { [self] _ in Handler(recorder: self) }
    }

    private func record(_ line: String) {
        lines.withLock { $0.append(line) }
    }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            recorder.record("\(event.level): \(event.message)")
        }
    }
}
