internal import Concurrency
package import Products

/// The signal of a catalogue that comes into force: before it is served, for all that make something of it, and once it
/// is served.
///
/// It outlives graphs, so that a `memory` taken over by a reload reaches the edition in force.
package final class CatalogueSignal: Sendable {
    /// The answer with a catalogue that is about to be served, and the revision that it will replace. The replaced
    /// catalogue may be gone before the subscribers are done.
    package typealias Change = (answer: ProductsAnswer, replaced: String)

    private struct Subscription: Sendable {
        weak let subscriber: (any AnyObject & Sendable)?
        let prepare: @Sendable (Change) async -> [Change]
    }

    /// The longest delay of a refreshed catalogue.
    static let timeout = Duration.seconds(5)
    /// The longest delay of a catalogue that an operator waits for, or another replica already serves.
    static let haste = Duration.milliseconds(300)

    private let subscriptions = Mutex<[Subscription]>([])
    private let replaced = ChangeSignal()

    package init() {}

    /// Calls `prepare` before each change, as long as the subscriber lives. Meanwhile requests are answered from the
    /// replaced catalogue.
    ///
    /// - Parameter prepare: returns the changes that follow from this one, such as a catalogue that is composed with it.
    package func subscribe<Subscriber: AnyObject & Sendable>(
        _ subscriber: Subscriber, by prepare: @escaping @Sendable (Subscriber, Change) async -> [Change]
    ) {
        let subscription = Subscription(subscriber: subscriber) { [weak subscriber] change in
            guard let subscriber else { return [] }
            return await prepare(subscriber, change)
        }
        subscriptions.withLock { subscriptions in
            subscriptions.removeAll { $0.subscriber == nil }
            subscriptions.append(subscription)
        }
    }

    /// Yields after requests get another catalogue, or another answer about the same. Each reader has its own stream.
    package var changes: AsyncStream<Void> { replaced.changes }

    /// Signals that requests get another catalogue or answer.
    func send() { replaced.send() }

    /// Prepares a change and those that follow from it. At the time limit it returns, and the preparation continues
    /// after the catalogue has come into force.
    func prepare(_ change: Change, within limit: Duration, clock: any Clock<Duration>) async {
        let subscriptions = subscriptions.withLock { $0 }
        if subscriptions.isEmpty { return }
        _ = await firstOutcome(within: limit, clock: clock) { await Self.prepare(change, subscriptions) }
    }

    private static func prepare(_ change: Change, _ subscriptions: [Subscription]) async {
        for (index, subscription) in subscriptions.enumerated() {
            // No strategy is above itself.
            var others = subscriptions
            others.remove(at: index)
            for next in await subscription.prepare(change) { await prepare(next, others) }
        }
    }
}
