internal import Concurrency
internal import FoundationEssentials
internal import Logging
package import Products

extension FleetCatalogue {
    /// Fetches a catalogue for the whole fleet.
    typealias Upstream = @concurrent @Sendable (ProductsRequest) async throws -> ProductsAnswer

    /// The newest catalogue of the fleet, also while an older one is pinned; nil before the first.
    var given: LoadedCatalogue? { state.withLock(\.newest).flatMap { $0.sequence > 0 ? $0 : nil } }

    /// Whether the upstream has confirmed a catalogue less than a second ago.
    func isRecent(_ served: LoadedCatalogue) -> Bool {
        (0..<1).contains(wallClock.now().timeIntervalSince(served.snapshot.checkedAt))
    }

    /// The pinned catalogue, checked at this moment.
    package var pinned: ProductsSnapshot? {
        guard let served = state.withLock({ $0.member.servesPin ? $0.served : nil }) else { return nil }
        return served.snapshot.checked(at: wallClock.now()).from(.store)
    }

    /// Returns the pinned catalogue with a step of this node; nil while none is pinned.
    func pinned(by node: String) -> ProductsAnswer? {
        pinned.map { ProductsAnswer(snapshot: $0, trail: [TrailStep(node: node, outcome: .pinned)]) }
    }

    func hasNewer(than mark: CatalogueMark) -> Bool {
        guard let given, let known = mark.number(of: number) else { return false }
        return given.sequence > known
    }

    /// The outcome of an ask.
    enum AskResult {
        case served(LoadedCatalogue)
        /// A pin is in force, and this replica has no other catalogue beside it.
        case pinned(ProductsSnapshot)
        /// The upstream's answer is not shared: it is a substitute, for instance.
        case uncommitted(ProductsAnswer)
    }

    /// Waits for the newest catalogue that the storage or the upstream has.
    ///
    /// One of the requests that wait fetches for all, in a task that outlives a cancelled caller. An order that
    /// supersedes a refresh is not answered with one that began before it, at any member.
    /// - Parameter known: the sequence of the caller's catalogue; a later one is returned at once.
    func newest(
        for request: ProductsRequest, after known: Int, upstream: @escaping Upstream
    ) async throws -> AskResult {
        let order = request.order
        if order == nil, let given, given.sequence > known { return .served(given) }
        let (signals, continuation) = AsyncStream.makeStream(of: AskSignal.self)
        let id = state.withLock { state in
            state.lastAsk += 1
            state.asks.append((state.lastAsk, request.revalidates, continuation))
            return state.lastAsk
        }
        let alarm = request.deadline.map { deadline in
            Task.detached {
                try await ContinuousClock().sleep(until: deadline)
                continuation.yield(.late)
            }
        }
        defer {
            alarm?.cancel()
            leave(id)
        }
        handle(.asked(id, isForced: order?.isForced == true, isAnew: order?.supersedes == true))
        for await signal in signals {
            switch signal {
            case .fetch(let fetch, let claim):
                guard let revalidates = begin(fetch, id) else { continue }
                var unlimited = request
                (unlimited.deadline, unlimited.revalidates) = (nil, revalidates)
                Task(executorPreference: BackgroundExecutor.shared) { [self, unlimited] in
                    await self.fetch(fetch, claim, unlimited, upstream)
                }
            case .answer(let outcome): return try self.outcome(outcome)
            case .late: throw ProductsFailure.timedOut(after: nil)
            }
        }
        throw ProductsFailure.cancelled
    }

    /// - Returns: whether a request that waits revalidates; nil if the fetch belongs to another request.
    private func begin(_ fetch: FleetMember.FetchID, _ ask: FleetMember.AskID) -> Bool? {
        state.withLock { state in
            guard let assigned = state.assigned, assigned == (fetch, assigned.claim, ask) else { return nil }
            state.assigned = nil
            return state.asks.contains(where: \.revalidates)
        }
    }

    /// Ends a wait. A fetch that was assigned to it and has not begun goes to another request.
    private func leave(_ id: FleetMember.AskID) {
        let action = state.withLock { state -> Action? in
            state.asks.removeAll { $0.id == id }
            guard let (fetch, claim, ask) = state.assigned, ask == id else { return nil }
            return assign(fetch, claim, in: &state)
        }
        if let action { perform(action) }
    }

    /// Assigns a fetch to the first request that waits. Without one it ends unused.
    func assign(_ fetch: FleetMember.FetchID, _ claim: Claim?, in state: inout State) -> Action {
        guard let first = state.asks.first else {
            state.assigned = nil
            return .effect(.fetch(fetch, claim))
        }
        state.assigned = (fetch, claim, first.id)
        return .signal(first.signals, .fetch(fetch, claim))
    }

    private func outcome(_ outcome: FleetMember.AskOutcome) throws -> AskResult {
        let (newest, served, last) = state.withLock { ($0.newest, $0.served, $0.lastFetch) }
        switch outcome {
        case .served:
            if let newest { return .served(newest) }
            guard let served else { throw ProductsFailure.notStored }
            return .pinned(served.snapshot)
        case .paused(let pause, let seen):
            let cause = seen ?? last.flatMap { SeenFailure($0, by: settings.name) }
            let replica = cause.flatMap { $0.member == settings.name ? nil : "replica \($0.member): " } ?? ""
            throw ProductsFailure.paused(
                reason: cause?.reason ?? Self.pauseToken,
                detail: replica + (cause?.detail ?? "another replica has asked the upstream, which failed"),
                retryAfter: pause)
        case .unavailable: throw ProductsFailure.storeFailed(detail: "the shared storage is away")
        case .failed:
            guard let last else { throw ProductsFailure.notStored }
            return .uncommitted(try last.get())
        }
    }

    /// The reason while the fleet pauses after an unknown failure.
    static let pauseToken = "fleet-paused"

    /// Asks the upstream, and reports the outcome to the member.
    private func fetch(
        _ id: FleetMember.FetchID, _ claim: Claim?, _ request: ProductsRequest, _ upstream: Upstream
    ) async {
        let answer: ProductsAnswer
        let begin = wallClock.now()
        do {
            answer = try await upstream(request)
        } catch {
            let failure = (error as? ProductsFailure) ?? (error is CancellationError ? .cancelled : nil)
            handle(.fetched(id, .failed(cause(failure)))) { $0.lastFetch = .failure(error) }
            return
        }
        guard answer.standing == .confirmed else {
            let cause = answer.failure.map(cause) ?? .unused
            handle(.fetched(id, .failed(cause))) { $0.lastFetch = .success(answer) }
            return
        }
        // Without a turn the blob is not written.
        let outcome =
            claim == nil ? .catalogue(committed(answer.snapshot)) : await encoded(answer.snapshot)
        handle(.fetched(id, outcome.with(PointerSource(answer.snapshot, askedAt: begin)))) { state in
            state.fetched = (answer.snapshot, answer.trail)
            state.lastFetch = nil
        }
    }

    /// Sorts a failure: whether another member should try, and what a gate refused.
    private func cause(_ failure: ProductsFailure?) -> ReleaseCause {
        switch failure {
        case .unreachable, .timedOut: .unreachable
        case .cancelled, .overloaded: .unused
        case .refused: .failed(refused: quarantined)
        default: .failed(refused: nil)
        }
    }

    /// Compares an own catalogue with the storage's, by the own gate.
    func weigh(_ id: FleetMember.FetchID, _ revision: String, against pointer: CataloguePointer) async {
        let (snapshots, judge) = state.withLock { state in
            ([state.fetched?.snapshot, state.served?.snapshot, state.whole?.snapshot].compactMap(\.self), state.judge)
        }
        func catalogue(_ revision: String) -> Catalogue? { snapshots.first { $0.revision == revision }?.catalogue }
        guard let judge, let new = catalogue(revision), pointer.bytes <= settings.maxBytes else {
            return handle(.weighed(id, .passes))
        }
        var old = catalogue(pointer.revision)
        if old == nil {
            let command = StorageCommand.readBlob(sha256: pointer.sha256, bytes: pointer.bytes)
            switch await perform(command, within: settings.blobLimit) {
            case .success(.blob(let bytes?)): old = try? await decode(bytes, as: pointer, known: new).catalogue
            case .success: break
            case .failure: return handle(.weighed(id, .unknown))
            }
        }
        // Without its blob, the storage's catalogue cannot be served, and there is nothing to compare.
        guard let old else { return handle(.weighed(id, .passes)) }
        do throws(ProductsFailure) {
            try await judge.compare(new, replacing: old)
            handle(.weighed(id, .passes))
        } catch {
            logger.warning(
                "the gate refuses this replica's catalogue as a successor of the fleet's, which is kept",
                metadata: ["revision": "\(revision)", "fleet": "\(pointer.revision)", "error": "\(error)"])
            handle(.weighed(id, .refused)) { $0.lastFetch = .failure(error) }
        }
    }

    private var quarantined: String? {
        (state.withLock { $0.judge } as? any QuarantiningProvider)?.quarantined?.catalogue.revision
    }
}

extension SeenFailure {
    /// The failure of a fetch, or the failure behind a substitute; nil for any other answer that is not shared.
    init?(_ fetch: Result<ProductsAnswer, any Error>, by member: String) {
        switch fetch {
        case .success(let answer):
            guard let failure = answer.failure else { return nil }
            self.init(reason: failure.causeToken, detail: "\(failure)", member: member)
        case .failure(let failure as ProductsFailure):
            self.init(reason: failure.causeToken, detail: "\(failure)", member: member)
        case .failure(let error): self.init(reason: "error", detail: "\(error)", member: member)
        }
    }
}
