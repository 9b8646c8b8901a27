internal import Locks
internal import Logging

/// The errors in the log, by the reason that stands beside each: what a failure that tells the reason alone is about.
final class LoggedCauses: Sendable {
    private let errors = Mutex<[String: String]>([:])

    /// The error that was logged last with this reason.
    func error(for reason: String) -> String? {
        errors.withLock { $0[reason] }
    }

    private func take(_ metadata: Logger.Metadata?) {
        guard let reason = metadata?["reason"], let error = metadata?["error"] else { return }
        errors.withLock { $0["\(reason)"] = "\(error)" }
    }

    /// Takes down what is logged, and writes nothing.
    struct Handler: LogHandler {
        let causes: LoggedCauses
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.warning

        init(_ causes: LoggedCauses) {
            self.causes = causes
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            causes.take(event.metadata)
        }
    }
}
