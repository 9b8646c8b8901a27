internal import HTTPServer
internal import Logging

/// Logs answers as the config asks. Probes are logged only when they fail, and each of them only by `all`: that they
/// begin to fail is a line that does not depend on this.
struct AccessLog: Sendable {
    let mode: HTTPConfiguration.AccessLog
    let logger: Logger

    /// A handler that logs what another one answers; that other one itself when nothing is logged.
    func around(_ handler: some HTTPHandler) -> any HTTPHandler {
        mode == .off ? handler : AccessLoggingHandler(upstream: handler, mode: mode, logger: logger)
    }
}
