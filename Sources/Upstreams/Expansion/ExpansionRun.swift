internal import Concurrency
internal import JSON
internal import Networking
internal import Products

/// The requests of one refresh for the members of its items: so many at once, no faster than a rate, until one of them ends
/// it or all are answered.
final class ExpansionRun: Sendable {
    /// The outcome of the request at an index.
    private enum Outcome: Sendable {
        case fetched(ExpandedValue, CollectionReading)
        /// The known value is still the upstream's.
        case confirmed(ExpandedValue, CollectionReading)
        /// `endsAll`: whether all other requests would fail as well, so that no policy tolerates it.
        case failed(ProductsFailure, endsAll: Bool)
    }

    /// The values of a run, and its failures.
    struct Result: Sendable {
        var values: [Int: ExpandedValue] = [:]
        /// The statements of the responses about their ages.
        var readings: [CollectionReading] = []
        var failures: [Int: ProductsFailure] = [:]
    }

    private let plan: ExpansionPlan
    private let known: [ExpansionPlan.Key: ExpandedValue]
    private let expansion: ItemExpansion
    private let sender: ExpansionSender
    private let state: Mutex<State>

    private struct State {
        /// The indexes of requests without an answer.
        var unanswered: Set<Int>
        /// The bytes that further values may have.
        var bytesLeft: Int
    }

    /// - Parameters:
    ///   - known: the values of earlier refreshes.
    ///   - open: the indexes of the requests to send.
    init(
        _ plan: ExpansionPlan, _ expansion: ItemExpansion, knowing known: [ExpansionPlan.Key: ExpandedValue],
        open: [Int], sender: ExpansionSender
    ) {
        (self.plan, self.expansion, self.known, self.sender) = (plan, expansion, known, sender)
        let unanswered = Set(open)
        let reused = plan.requests.indices.filter { !unanswered.contains($0) }
            .reduce(0) { $0 + (known[plan.requests[$1].key]?.size ?? 0) }
        state = Mutex(State(unanswered: unanswered, bytesLeft: sender.collection.limits.body - reused))
    }

    /// Sends the requests. After an error no further one begins, and those under way are cancelled.
    ///
    /// - Parameter keep: receives each value as it arrives, so that a later refresh has it if this one fails.
    func result(keep: @escaping @Sendable (ExpansionPlan.Key, ExpandedValue) -> Void) async throws -> Result {
        try await withThrowingTaskGroup(of: (index: Int, outcome: Outcome).self) { group in
            var waiting = state.withLock { $0.unanswered.sorted() }[...]
            func begin() {
                guard let index = waiting.popFirst() else { return }
                group.addTask { [self] in (index, try await outcome(of: plan.requests[index])) }
            }
            for _ in 0..<expansion.concurrency { begin() }
            let count = unansweredCount
            var result = Result()
            while let (index, outcome) = try await group.next() {
                state.withLock { _ = $0.unanswered.remove(index) }
                sender.progress?.report(count - unansweredCount, count)
                try record(outcome, at: index, in: &result, keep)
                begin()
            }
            return result
        }
    }

    /// The failure of a run that has reached its deadline, for the first request without an answer.
    var lateness: ProductsFailure {
        let failure = ProductsFailure.timedOut(after: expansion.timeout)
        guard let index = state.withLock({ $0.unanswered.min() }) else { return failure }
        return failure.from(source(of: plan.requests[index]))
    }

    /// The number of requests without an answer.
    var unansweredCount: Int { state.withLock { $0.unanswered.count } }

    private func record(
        _ outcome: Outcome, at index: Int, in result: inout Result,
        _ keep: (ExpansionPlan.Key, ExpandedValue) -> Void
    ) throws {
        let key = plan.requests[index].key
        switch outcome {
        case .fetched(let value, let reading), .confirmed(let value, let reading):
            if case .fetched = outcome { sender.meter.record(.fetched) } else { sender.meter.record(.notModified) }
            let isOverLimit = state.withLock { state in
                state.bytesLeft -= value.size
                return state.bytesLeft < 0
            }
            if isOverLimit { throw ProductsFailure.tooLarge(limit: sender.collection.limits.body) }
            result.values[index] = value
            result.readings.append(reading)
            keep(key, value)
        case .failed(let failure, let endsAll):
            sender.meter.record(.failed)
            let isTolerated =
                switch expansion.onFailure {
                case .keep: known[key] != nil
                case .omit: true
                case .fail: false
                }
            if endsAll || !isTolerated { throw failure }
            result.failures[index] = failure
        }
    }

    private func source(of request: ExpansionPlan.Request) -> FailureSource {
        FailureSource(
            itemID: request.itemID, member: expansion.members[request.key.member].name,
            url: sender.request(request.key.target, adding: [])?.place)
    }

    private func outcome(of request: ExpansionPlan.Request) async throws -> Outcome {
        try await sender.pace.wait()
        do {
            return try await answer(to: request)
        } catch let error as HTTPClientError {
            return .failed(sender.failure(error).from(source(of: request)), endsAll: error.endsExpansion)
        } catch let failure as ProductsFailure {
            return .failed(failure.from(source(of: request)), endsAll: failure.endsExpansion)
        }
    }

    private func answer(to request: ExpansionPlan.Request) async throws -> Outcome {
        let before = known[request.key]
        guard var outgoing = sender.request(request.key.target, adding: before?.conditions ?? []) else {
            throw ProductsFailure.malformed(detail: "no URL of this upstream: \(request.key.target)")
        }
        // All that are in flight stay within the limit together.
        outgoing.limits.body = max(1, state.withLock { $0.bytesLeft } / expansion.concurrency)
        let requestedAt = sender.wallClock.now()
        let response = try await sender.fetcher.fetch(outgoing)
        let reading = CollectionReading(response.headers, requestedAt: requestedAt)
        if response.status == 304, var before, !before.conditions.isEmpty {
            before.stamp = request.stamp
            return .confirmed(before, reading)
        }
        guard response.status == 200 else { throw ProductsFailure(status: response) }
        guard !response.isHTML else { throw ProductsFailure.malformed(detail: "HTML instead of JSON") }
        do {
            let document = try JSONParser().parse(response.body)
            let value = try expansion.members[request.key.member].value(in: document)
            return .fetched(ExpandedValue(value, of: response, stamp: request.stamp), reading)
        } catch let error as JSONSyntaxError {
            throw ProductsFailure.malformed(detail: "invalid JSON at \(error)")
        }
    }
}

/// Sends the requests for members, as those for the list are sent.
struct ExpansionSender: Sendable {
    let collection: CollectionResource
    let fetcher: any CollectionFetcher
    let pace: RequestPace
    let meter: ExpansionMeter
    /// Added to each request.
    let headers: [HTTPHeader]
    let wallClock: WallClock
    let progress: ExpansionProgress?

    /// Returns nil unless the URL stays on the origin of the list.
    func request(_ target: String, adding conditions: [HTTPHeader]) -> HTTPClientRequest? {
        collection.request(forItem: target, adding: conditions + headers)
    }

    func failure(_ error: HTTPClientError) -> ProductsFailure { ProductsFailure(error, limits: collection.limits) }
}

/// Failures that are not specific to one item, so that every further request would fail too.
extension HTTPClientError {
    /// Whether no connection can be made, or the values are too large together.
    fileprivate var endsExpansion: Bool {
        if case .bodyTooLarge = self { true } else { isBeforeRequest }
    }
}

extension ProductsFailure {
    /// Whether the upstream asks for a pause, or refuses the credentials.
    fileprivate var endsExpansion: Bool { retryAfter != nil || upstreamStatus == 429 || upstreamStatus == 401 }
}
