internal import HTTPServer
internal import Logging

extension LibeventLog {
    /// Has what libevent says appear in the service's log, instead of as plain lines on standard error.
    static func redirect(to log: ServiceLog) {
        redirect { severity, message in
            log.logger.log(level: level(severity), "libevent: \(message)")
            if severity == .fatal { log.flush() }
        }
    }

    private static func level(_ severity: Severity) -> Logger.Level {
        switch severity {
        case .debug: .debug
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        case .fatal: .critical
        }
    }
}
