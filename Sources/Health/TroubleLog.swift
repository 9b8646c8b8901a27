package import Concurrency
package import Logging

/// A trouble of a part, with the lines that are logged about it.
package protocol LoggedTrouble: Hashable, Sendable {
    var kind: Trouble.Kind { get }
    /// The name that distinguishes troubles of one kind.
    var name: String { get }
    var level: Logger.Level { get }
    /// The line that is logged when it begins, and again when its cause changes.
    var beginning: Logger.Message { get }
    /// The line that is logged when it ends; nil for none.
    var end: Logger.Message? { get }
}

/// Logs the troubles of one part: each when it begins, once more for each other cause, and when it ends. Repeated
/// reports are not logged.
package final class TroubleLog<Logged: LoggedTrouble>: TroubleReporting {
    private let logger: Logger
    private let book: TroubleBook
    /// The logged causes of the current troubles.
    private let logged = Mutex<[Logged: LoggedCauses]>([:])

    package init(_ logger: Logger, wallClock: WallClock = .system) {
        self.logger = logger
        book = TroubleBook(wallClock: wallClock)
    }

    package var troubles: [Trouble] { book.troubles }

    /// Whether the beginning of a trouble was logged, and not its end.
    package func contains(_ trouble: Logged) -> Bool { logged.withLock { $0[trouble] != nil } }

    /// Reports a trouble, or its end.
    ///
    /// - Parameters:
    ///   - cause: nil if the trouble has ended. Causes that differ in long numbers alone, such as file numbers, count
    ///     as one.
    ///   - metadata: the metadata of the line, if there is one.
    package func report(_ trouble: Logged, cause: String?, _ metadata: @autoclosure () -> Logger.Metadata = [:]) {
        book.record(trouble.kind, cause, named: trouble.name)
        let isNews = logged.withLock { logged in
            guard let cause else { return logged.removeValue(forKey: trouble) != nil }
            return logged[trouble, default: LoggedCauses()].add(cause)
        }
        guard isNews, let line = cause == nil ? trouble.end : trouble.beginning else { return }
        logger.log(level: cause == nil ? .notice : trouble.level, line, metadata: metadata())
    }

    /// Records a trouble whose beginning is logged elsewhere; its end is reported as usual.
    package func record(_ trouble: Logged, cause: String) {
        book.record(trouble.kind, cause, named: trouble.name)
    }
}

/// The causes of a trouble that were logged since it began, at most eight. Those that differ in long numbers alone, such as
/// file numbers, count as one.
package struct LoggedCauses: Sendable {
    private static let most = 8
    /// The longest run of digits that distinguishes causes, such as a status.
    private static let mostDigits = 3

    private var causes: Set<String> = []

    package init() {}

    /// Adds a cause. Returns whether it has to be logged.
    package mutating func add(_ cause: String) -> Bool {
        causes.count < Self.most && causes.insert(Self.sense(of: cause)).inserted
    }

    /// The cause without its long numbers.
    private static func sense(of cause: String) -> String {
        var (sense, digits) = ("", "")
        for character in cause + "\n" {
            if character.isNumber {
                digits.append(character)
            } else {
                if digits.count <= Self.mostDigits { sense += digits }
                sense.append(character)
                digits = ""
            }
        }
        return sense
    }
}
