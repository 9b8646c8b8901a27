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

/// Whether the libevent that runs is one to build on.
///
/// Its version alone does not tell: distributions mend it without another number, so it is tried as well.
public enum LibeventSoundness: Sendable, Hashable {
    /// It has the fixes that are known to be needed.
    case sound
    /// It is older than what this program was written for.
    case tooOld
    /// It takes requests that are framed in two ways at once. What stands before it here refuses those, and yet it
    /// lacks the security fixes that Debian calls 2.1.12-stable-8+deb12u1.
    case unpatched
    /// It is new enough, and could not be tried, as without a loopback interface.
    case untried

    /// The oldest version that will do.
    public static let oldestVersion = "2.1.12-stable"
    private static let oldestNumber: UInt32 = 0x0201_0c00

    /// Finds out, in a millisecond or two, and in a quarter of a second at the worst. Blocks as long.
    public static func find() -> LibeventSoundness {
        LibeventSoundness(number: larder_libevent_number()) { larder_libevent_trial() }
    }

    /// - Parameters:
    ///   - number: the version as libevent tells it to programs.
    ///   - trial: 1 when such a request is refused, 0 when it is not, -1 when that cannot be told.
    init(number: UInt32, trial: () -> Int32) {
        guard number >= Self.oldestNumber else {
            self = .tooOld
            return
        }
        self =
            switch trial() {
            case 1: .sound
            case 0: .unpatched
            default: .untried
            }
    }
}
