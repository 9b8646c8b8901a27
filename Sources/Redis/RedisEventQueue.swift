internal import Concurrency

/// Events for one consumer, which may be slow. The newest are kept.
///
/// A new connection has its consumer read what messages only hint at, so messages from before it are dropped.
final class RedisEventQueue: Sendable {
    static let mostMessages = 256
    private static let mostChanges = 16
    private let events = Mutex<[RedisEvent]>([])
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    init() {
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var stream: AsyncStream<RedisEvent> {
        AsyncStream { [self] in
            while true {
                if let event = events.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return event }
                var iterator = wakes.makeAsyncIterator()
                guard await iterator.next() != nil else { return nil }
            }
        }
    }

    func append(_ event: RedisEvent) {
        events.withLock { events in
            if event.isMessage {
                // Earlier events tell of the connections.
                let first = events.firstIndex(where: \.isMessage) ?? events.count
                if events.count - first == Self.mostMessages { events.remove(at: first) }
            } else {
                events.removeAll(where: \.isMessage)
                if events.count == Self.mostChanges { events.removeFirst() }
            }
            events.append(event)
        }
        wake.yield()
    }

    /// Ends the stream once its events are taken.
    func finish() {
        wake.finish()
    }
}

extension RedisEvent {
    fileprivate var isMessage: Bool {
        if case .message = self { true } else { false }
    }
}
