internal import Concurrency
internal import FoundationEssentials
internal import Hashing
internal import Persistence
internal import Products

/// The pin of a fleet at one replica: its catalogue on the disk, and whether the order outlasts the process.
extension FleetCatalogue {
    /// The attempts to keep a blob, for each connection and each pin.
    private static let mostBlobTries = 5

    /// Records an order about pins in the storage, and waits a while until this replica obeys it. While the storage is
    /// away only this replica obeys, and writes the order when the storage is back: the latest order counts.
    /// - Returns: whether the order outlasts this process.
    /// - Throws: `ProductsFailure.notStored` where the storage is away and this replica has no such catalogue.
    @discardableResult
    func obey(_ pointer: CataloguePointer?, _ order: OperatorOrder) async throws(ProductsFailure) -> Bool {
        let isUp = state.withLock(\.member.isLinked)
        var own: ProductsSnapshot?
        if !isUp, let pointer {
            own = await self.own(pointer)
            guard own != nil else { throw .notStored }
        }
        let version = max(order.at.milliseconds, state.withLock { $0.member.pin?.version ?? 0 } + 1)
        let record = PinRecord(version: version, pointer: pointer, by: order.by, reason: order.reason)
        if isUp {
            try await withStorage { [settings] in
                await $0.perform(.pin(record), blob: nil, within: settings.commandLimit)
            }
            state.withLock { $0.storedPin = version }
        }
        handle(.pinned(record))
        if let own, let pointer { give(pinned: own, pointer) }
        _ = await firstOutcome(within: settings.blobLimit, clock: clock) { [self] in await obeys(pointer) }
        return await isWritten(record)
    }

    /// Lets a revision through the gates of all members once, in place of the catalogue that is current.
    /// - Throws: `ProductsFailure.storeFailed` while the storage is away.
    func accept(_ revision: String) async throws(ProductsFailure) {
        guard state.withLock(\.member.isLinked) else { throw Self.away }
        let fault = await withCheckedContinuation { order in
            handle { state, _ in
                state.lastAsk += 1
                state.orders[state.lastAsk] = order
                return .accepting(state.lastAsk, revision: revision)
            }
        }
        if let fault { throw Self.failure(fault) }
    }

    static var away: ProductsFailure { .storeFailed(detail: "the shared storage is away", answered: false) }

    @discardableResult
    func withStorage<Value: Sendable>(
        _ body: (any FleetStorage) async -> Result<Value, StorageFault>
    ) async throws(ProductsFailure) -> Value {
        guard let storage = state.withLock({ $0.member.isLinked ? $0.storage : nil }) else { throw Self.away }
        switch await body(storage) {
        case .success(let value): return value
        case .failure(let fault): throw Self.failure(fault)
        }
    }

    private static func failure(_ fault: StorageFault) -> ProductsFailure {
        switch fault {
        case .silent: .storeFailed(detail: "the shared storage does not answer", answered: false)
        case .readOnly: .storeFailed(detail: "the shared storage does not write")
        case .refused(let text): .storeFailed(detail: "the shared storage refuses: \(text)")
        }
    }

    /// Keeps the blob of the pinned catalogue on disk, in place of the last one once it is good. Tried again at each
    /// poll.
    func keepPinned() async {
        let pointer = state.withLock { state -> CataloguePointer? in
            guard memory.isKept, state.member.isLinked, state.blobTries < Self.mostBlobTries,
                let pointer = state.member.pin?.pointer, !memory.holds(pinnedBlob: pointer.sha256)
            else { return nil }
            state.blobTries += 1
            return pointer
        }
        guard let pointer else { return }
        let command = StorageCommand.readBlob(sha256: pointer.sha256, bytes: pointer.bytes)
        guard case .success(.blob(let bytes)) = await perform(command, within: settings.blobLimit) else { return }
        guard let bytes, bytes.count == pointer.bytes,
            let digest = try? await offLoop({ SHA256Digest(of: bytes).hexDigits }), digest == pointer.sha256
        else {
            // Members with the catalogue write it again.
            _ = await perform(.reportDamage(sha256: pointer.sha256), within: settings.commandLimit)
            return
        }
        guard state.withLock({ $0.isPin(pointer) }) else { return }
        await memory.keep(pinnedBlob: bytes, pointer.sha256)
    }

    /// The catalogue of a pointer, from memory or from the disk.
    func own(_ pointer: CataloguePointer) async -> ProductsSnapshot? {
        let served = state.withLock { state in
            [state.served, state.whole].compactMap(\.self).first { $0.snapshot.revision == pointer.revision }
        }
        if let served { return served.snapshot }
        return await kept(pointer)
    }

    /// The catalogue of a pin, from the disk.
    func kept(_ pointer: CataloguePointer, _ newest: ProductsSnapshot? = nil) async -> ProductsSnapshot? {
        if let newest, newest.revision == pointer.revision { return newest }
        if let bytes = await memory.pinnedBlob(limit: settings.maxBytes),
            let snapshot = try? await decode(bytes, as: pointer, known: newest?.catalogue)
        {
            memory.found(pinnedBlob: pointer.sha256)
            return snapshot
        }
        return try? await (refill as? any ProductsHistory)?.snapshot(of: .revision(pointer.revision))
    }

    /// Offers the catalogue of a pin from the disk, unless it is served already.
    func give(pinned snapshot: ProductsSnapshot, _ pointer: CataloguePointer) {
        guard state.withLock({ $0.isPin(pointer) && !$0.member.obeys(pointer) }) else { return }
        handle(.found(.init(revision: snapshot.revision, startedAt: pointer.startedAt))) { $0.examined = snapshot }
    }

    /// Records the place of a served catalogue, for a start without the storage.
    func remember(
        _ catalogue: FleetMember.PlacedCatalogue, _ pointer: CataloguePointer?, isPinned: Bool, _ state: State
    ) {
        if isPinned, memory.isKept { Task.detached { [self] in await keepPinned() } }
        guard !isPinned, !catalogue.isForeign, state.served?.sequence ?? 0 > 0 else { return }
        let entry = FleetRecord.Entry(
            revision: catalogue.revision, startedAt: catalogue.begun == nil ? catalogue.startedAt : 0,
            begun: catalogue.begun.flatMap { BootTime(before: uptime.now - $0) }, pointer: pointer)
        memory.change(fingerprint) { $0.add(entry) }
    }

    /// Whether the storage or the disk is known to have an order.
    func isWritten(_ record: PinRecord, _ state: State) -> Bool {
        state.storedPin >= record.version || memory.hasWritten(record.version, fingerprint)
    }

    /// Whether the storage or the disk has an order, after the write that is under way.
    func isWritten(_ record: PinRecord) async -> Bool {
        if state.withLock({ isWritten(record, $0) }) { return true }
        _ = await firstOutcome(within: settings.commandLimit, clock: clock) { [memory] in await memory.settle() }
        return state.withLock { isWritten(record, $0) }
    }

    /// Waits until a pin is obeyed, or its end.
    func obeys(_ pin: CataloguePointer?) async {
        let events = handled.changes
        if state.withLock({ $0.member.obeys(pin) }) { return }
        for await _ in events where state.withLock({ $0.member.obeys(pin) }) { return }
    }
}

extension PinRecord {
    /// The pin for operators; nil after it was taken off.
    func cataloguePin(isWritten: Bool) -> CataloguePin? {
        pointer.map { pointer in
            CataloguePin(
                generation: pointer.generation, revision: pointer.revision,
                order: OperatorOrder(at: Date(milliseconds: version), by: by, reason: reason), isWritten: isWritten)
        }
    }
}
