import Concurrency

/// What happened, in the order in which it did.
final class StepList: Sendable {
    private let noted = Mutex<[String]>([])

    var steps: [String] { noted.withLock { $0 } }

    func note(_ step: String) {
        noted.withLock { $0.append(step) }
    }
}
