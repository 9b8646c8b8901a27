internal import CEventShim

/// Receives the messages of libevent and of the shim over it.
package enum LibeventLog {
    package enum Severity: Sendable, Hashable {
        case debug, notice, warning, error
        /// The process ends as soon as it has been reported.
        case fatal
    }

    private final class Sink: Sendable {
        let write: @Sendable (Severity, String) -> Void

        init(_ write: @escaping @Sendable (Severity, String) -> Void) { self.write = write }
    }

    /// Sends messages to a closure from now on, for the whole process; without one, warnings go to standard error.
    ///
    /// Best called once, before the first loop. The closure may be called on any thread and lives as long as the
    /// process. An error that libevent cannot survive is reported here and then ends the process.
    package static func redirect(to write: @escaping @Sendable (Severity, String) -> Void) {
        let context = unsafe Unmanaged.passRetained(Sink(write)).toOpaque()
        unsafe larder_set_log(
            { severity, message, context in
                guard let message = unsafe message, let context = unsafe context else { return }
                let sink = unsafe Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
                unsafe sink.write(LibeventLog.severity(severity), String(cString: message))
            }, context)
    }

    private static func severity(_ severity: larder_severity) -> Severity {
        switch severity {
        case LARDER_DEBUG: .debug
        case LARDER_NOTICE: .notice
        case LARDER_WARNING: .warning
        case LARDER_ERROR: .error
        default: .fatal
        }
    }
}

/// Checks the version of libevent that runs. It does not tell whether a distribution's security fixes are in; the image's
/// build checks the package for those.
package enum LibeventCheck {
    package static let oldestVersion = "2.1.12-stable"

    package static var isSupported: Bool { isSupported(larder_libevent_number()) }

    /// - Parameter number: a version as libevent gives it to programs, `0xMMmmpp00`.
    static func isSupported(_ number: UInt32) -> Bool { number >= 0x0201_0c00 }
}
