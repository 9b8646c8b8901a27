internal import Dispatch

/// A thread of its own for calls that wait for a disk.
///
/// A disk, above all one on the network, may hang for minutes. Swift's shared threads are as few as the cores; one that
/// waits would be missing where everything else is computed.
public final class BlockingQueue: Sendable {
    private let queue: DispatchQueue

    /// A thread of this name, which is there while something runs on it.
    public init(_ name: String) {
        queue = DispatchQueue(label: name)
    }

    /// Runs the body when those before it have run. It runs to its end, whoever is cancelled.
    public func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }
}
