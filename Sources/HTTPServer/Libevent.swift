internal import CEventShim

/// Receives the messages of libevent and of the shim over it.
package enum LibeventLog {
    package enum Severity: Sendable, Hashable {
        case debug, notice, warning, error
        /// The process ends after the report.
        case fatal
    }

    private final class Sink: Sendable {
        let write: @Sendable (Severity, String) -> Void

        init(_ write: @escaping @Sendable (Severity, String) -> Void) { self.write = write }
    }

    /// Sends messages to a closure, for the whole process. Without one, warnings go to standard error.
    ///
    /// Best called once, before the first loop. The closure may be called on any thread and is never released. A fatal
    /// error of libevent is reported here and then ends the process.
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

/// Checks the version of libevent in use. A version does not show a distribution's security fixes; the image's build
/// checks the package for those.
package enum LibeventCheck {
    package static let oldestVersion = "2.1.12-stable"

    package static var isSupported: Bool { isSupported(larder_libevent_number()) }

    /// - Parameter number: a version in libevent's numeric form, `0xMMmmpp00`.
    static func isSupported(_ number: UInt32) -> Bool { number >= 0x0201_0c00 }
}
