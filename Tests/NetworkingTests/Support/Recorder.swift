internal import Concurrency

/// Keeps what a callback was given, in order.
final class Recorder<Value: Sendable>: Sendable {
    private let kept = Mutex<[Value]>([])

    var values: [Value] { kept.withLock { $0 } }

    func record(_ value: Value) {
        kept.withLock { $0.append(value) }
    }
}
