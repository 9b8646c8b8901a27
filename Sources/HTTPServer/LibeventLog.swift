internal import CEventShim

/// Where libevent and the shim over it say what they have to say.
public enum LibeventLog {
    /// How grave a message is.
    public enum Severity: Sendable, Hashable {
        case debug, notice, warning, error
        /// The process ends when it has been told.
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
    public static func redirect(to write: @escaping @Sendable (Severity, String) -> Void) {
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
