internal import Configuration
internal import Logging

/// Tells what has become of reloads.
struct ReloadLog: Sendable {
    let logger: Logger
    /// By what the process was started.
    let started: ServiceConfiguration

    /// A config is in force. What of it is not, because it takes a restart, is said in one line.
    func reloaded(_ configuration: LoadedConfiguration, _ edition: Edition) {
        report(configuration.warnings)
        let waiting = SettingsOfTheStart.changed(from: started, to: configuration.service)
        if !waiting.isEmpty {
            logger.warning(
                "some settings take effect after a restart only",
                metadata: ["settings": .array(waiting.map { "\($0)" })])
        }
        let facts = started.http.tls == nil ? [:] : configuration.service.http.tls?.metadata ?? [:]
        logger.notice("reloaded", metadata: facts.merging(["edition": .stringConvertible(edition.number)]) { $1 })
        logger.noteGraph(edition.graph.outline)
    }

    /// A config was refused; the one before stays in force.
    func refused(_ error: any Error) {
        switch error {
        case is CancellationError:
            logger.notice("reload given up, the service stops")
        case let error as ConfigurationError:
            report(error.diagnostics)
            logger.error("reload refused, the old config stays")
        default:
            logger.error("reload refused, the old config stays", metadata: ["error": "\(error)"])
        }
    }

    private func report(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics {
            let level = diagnostic.severity == .error ? Logger.Level.error : .warning
            logger.log(level: level, "config", metadata: ["problem": "\(diagnostic)"])
        }
    }
}
