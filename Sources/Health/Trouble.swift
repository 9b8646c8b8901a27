package import Concurrency
package import FoundationEssentials
package import Logging

/// A known fault of a part that keeps working.
///
/// Probes, pages and metrics show every trouble in the same words, with its cause and its beginning.
package struct Trouble: Sendable, Hashable {
    /// The closed list of troubles. The raw value labels metrics, and may be shown to clients.
    package enum Kind: String, Sendable, CaseIterable {
        /// Refreshes fail.
        case upstream
        /// A monitor considers the upstream unreachable.
        case monitor
        /// A circuit breaker is open.
        case breaker
        /// The source itself serves an old catalogue.
        case source
        /// A gate refused a catalogue, which is in quarantine.
        case quarantine
        /// A store cannot be written or read, or takes long.
        case store
        /// The connection to a shared store is down, or the store does not write.
        case sharedStore = "shared_store"
        /// Events are lost, or cannot be delivered and wait.
        case analytics
        /// Telemetry is lost, or cannot be delivered.
        case telemetry
        /// The last reload was refused, and the previous config stays in force.
        case reload
        /// The certificate for new connections ends soon, or has ended.
        case certificate
        /// The file of API keys cannot be used, and the last good keys stay.
        case keys
        /// Clocks disagree.
        case clock
        /// Declared keys and attributes do not fit the catalogue.
        case index
    }

    package let kind: Kind
    /// The part's label in metrics; empty for the process itself.
    package var part: String
    /// The cause in words, for operators only: it may name addresses and files.
    package let cause: String
    /// When it began, by the wall clock.
    package let since: Date

    package init(_ kind: Kind, part: String = "", cause: String, since: Date) {
        (self.kind, self.part, self.cause, self.since) = (kind, part, cause, since)
    }
}

/// A part that reports its own troubles. Reading them may take a lock, so requests do not read them.
package protocol TroubleReporting: Sendable {
    /// The troubles at this moment, without the part's label; empty while all is well.
    var troubles: [Trouble] { get }
}

/// The parts of a process that report troubles.
package final class TroubleReporters: TroubleReporting {
    private let reporters = Mutex<[any TroubleReporting]>([])

    package init() {}

    package func add(_ reporter: some TroubleReporting) {
        reporters.withLock { $0.append(reporter) }
    }

    package var troubles: [Trouble] { reporters.withLock { $0 }.flatMap(\.troubles) }
}

/// Keeps the troubles of one part, each from its beginning to its end, and logs both once.
package final class TroubleBook: TroubleReporting {
    /// The lines of the log about one trouble.
    package struct Lines: Sendable, Hashable {
        /// A warning when it begins.
        package let begin: String
        /// A notice when it ends.
        package let end: String

        package init(begin: String, end: String) {
            (self.begin, self.end) = (begin, end)
        }
    }

    private let wallClock: WallClock
    private let logger: Logger?
    private let current = Mutex<[String: Trouble]>([:])

    /// - Parameter logger: logs the lines; nil if the part logs its troubles itself.
    package init(wallClock: WallClock = .system, logger: Logger? = nil) {
        (self.wallClock, self.logger) = (wallClock, logger)
    }

    package var troubles: [Trouble] {
        current.withLock { $0 }.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Records a trouble, or its end. While it lasts, its beginning stays and its cause is updated.
    ///
    /// - Parameters:
    ///   - cause: nil if the trouble has ended.
    ///   - name: distinguishes several troubles of one kind.
    ///   - lines: logged when it begins or ends; nil for a trouble that is logged elsewhere.
    /// - Returns: whether it has begun or ended.
    @discardableResult
    package func record(
        _ kind: Trouble.Kind, _ cause: String?, named name: String = "", lines: Lines? = nil
    ) -> Bool {
        let (key, now) = ("\(kind.rawValue) \(name)", wallClock.now())
        let isChange = current.withLock { current in
            let before = current[key]
            current[key] = cause.map { Trouble(kind, cause: $0, since: before?.since ?? now) }
            return (before == nil) != (cause == nil)
        }
        if isChange, let lines {
            if let cause {
                logger?.warning("\(lines.begin)", metadata: ["error": "\(cause)"])
            } else {
                logger?.notice("\(lines.end)", metadata: name.isEmpty ? [:] : ["name": "\(name)"])
            }
        }
        return isChange
    }
}
