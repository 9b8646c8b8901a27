internal import Concurrency
internal import Logging
internal import Health
internal import Products

extension FleetCatalogue {
    /// Carries out a command, and reports its reply.
    func send(_ id: FleetMember.CommandID, _ command: StorageCommand, within limit: Duration) async {
        var blob: [UInt8]?
        if case .writeBlob(let sha256) = command {
            blob = await self.blob(sha256)
            guard blob != nil else {
                // The catalogue has been replaced meanwhile.
                handle(.failed(id, .silent))
                return
            }
        }
        switch await perform(command, blob: blob, within: limit) {
        case .success(let reply):
            handle(.reply(id, reply)) { state in
                // Without a pin in the reply the version stays: the member writes the pin again at once.
                if let pin = reply.contents?.pin { state.storedPin = pin.version }
                switch (command, reply) {
                case (.commit, .committed), (.confirm, .committed): state.blob = nil
                case (.commit, .fenced), (.confirm, .fenced): (state.blob, state.fetched) = (nil, nil)
                case (.pin(let record), .done): state.storedPin = record.version
                default: break
                }
            }
            checkSkew()
        case .failure(let fault):
            handle(.failed(id, fault)) { state in
                if case .pin = command { state.storedPin = 0 }
            }
        }
    }

    func perform(
        _ command: StorageCommand, blob: [UInt8]? = nil, within limit: Duration
    ) async -> Result<StorageReply, StorageFault> {
        guard let storage = state.withLock({ $0.storage }) else { return .failure(.silent) }
        let result = await storage.perform(command, blob: blob, within: limit)
        record(result, of: command)
        return result
    }

    /// Logs when the clocks begin and cease to disagree.
    func checkSkew() {
        let (wall, now) = (wallClock.now().milliseconds, uptime.now)
        guard let time = state.withLock({ $0.member.storageTime(at: now) }) else { return }
        let difference = wall - time
        let isSkewed = abs(difference) > Self.tolerance
        let words = "\(abs(difference) / 1000) s \(difference < 0 ? "behind" : "ahead of") the store's"
        guard book.record(.clock, isSkewed ? "this machine's clock is \(words)" : nil) else { return }
        if isSkewed {
            logger.warning(
                "this machine's clock and the shared storage's disagree",
                metadata: ["ahead_seconds": "\(Double(difference) / 1000)"])
        } else {
            logger.notice("this machine's clock and the shared storage's agree again")
        }
    }

    /// Logs each refusal once, and when the storage ceases to write and writes again.
    private func record(_ result: Result<StorageReply, StorageFault>, of command: StorageCommand) {
        switch result {
        case .success where command.isWrite:
            if book.record(.sharedStore, nil, named: "writes") { logger.notice("the shared storage writes again") }
        case .failure(.readOnly):
            if book.record(.sharedStore, "it does not write", named: "writes") {
                logger.warning("the shared storage does not write")
            }
        case .failure(.refused(let text)):
            if isFirst(text) { logger.error("the shared storage refuses a command", metadata: ["error": "\(text)"]) }
        case .success, .failure(.silent): break
        }
    }

    /// Whether this was not logged lately.
    private func isFirst(_ text: String) -> Bool {
        state.withLock { state in
            if state.logged.count >= 16 { state.logged = [] }
            return state.logged.insert(text).inserted
        }
    }

    /// Checks and decodes a blob.
    /// - Returns: a snapshot of the time in the blob.
    func decode(
        _ bytes: [UInt8], as pointer: CataloguePointer, known: Catalogue?
    ) async throws -> ProductsSnapshot {
        let limit = settings.maxBytes
        let read = try await offLoop {
            try CatalogueBlob.decode(bytes, as: pointer, maxBytes: limit, known: known)
        }
        return read.from(.network)
    }

    /// Checks and decodes the blob of a pointer, and passes it through the own gate unless it is pinned.
    func examine(_ pointer: CataloguePointer, _ bytes: [UInt8]) async {
        let (known, judge) = state.withLock { state in
            ((state.served ?? state.whole)?.snapshot.catalogue, state.isPin(pointer) ? nil : state.judge)
        }
        do {
            let snapshot = try await decode(bytes, as: pointer, known: known)
            if let judge {
                // The pointer carries an operator's acceptance to replicas that were away. The gate expects one
                // revision at a time, so an open order about another one is restored. As effects of the member, which
                // does not see the judgement, both calls could be overtaken by other events.
                if pointer.isAccepted { judge.expect(revision: pointer.revision) }
                defer {
                    if pointer.isAccepted { judge.expect(revision: state.withLock { $0.member.follower.accepted }) }
                }
                _ = try await judge.judge(ProductsAnswer(snapshot: snapshot), for: ProductsRequest())
            }
            handle(.examined(sha256: pointer.sha256, .good)) { $0.examined = snapshot }
        } catch {
            let refusal = error as? ProductsFailure
            if isFirst("\(pointer.sha256) \(refusal == nil)") {
                logger.warning(
                    refusal == nil ? "a catalogue of the fleet is damaged" : "a catalogue of the fleet is refused",
                    metadata: [
                        "revision": "\(pointer.revision)", "writer": "\(pointer.writer)", "error": "\(error)",
                    ])
            }
            handle(.examined(sha256: pointer.sha256, refusal == nil ? .damaged : .refused))
        }
    }

    /// Encodes a fetched catalogue. If the storage has it, its pointer is enough: it is only confirmed.
    func encoded(_ snapshot: ProductsSnapshot) async -> FleetMember.FetchOutcome {
        let (pointer, unmakable) = state.withLock { ($0.member.pointer, $0.unmakable) }
        if let pointer, pointer.revision == snapshot.revision, pointer.sha256 != unmakable {
            return .catalogue(committed(snapshot, sha256: pointer.sha256, bytes: pointer.bytes))
        }
        return await catalogue(of: snapshot)
    }

    /// A catalogue with its blob, or without one.
    func committed(_ snapshot: ProductsSnapshot, sha256: String = "", bytes: Int = 0) -> CommittedCatalogue {
        CommittedCatalogue(
            revision: snapshot.revision, count: snapshot.products.count, bytes: bytes, sha256: sha256,
            writer: settings.name)
    }

    private func catalogue(of snapshot: ProductsSnapshot) async -> FleetMember.FetchOutcome {
        guard let (sha256, bytes) = await encode(snapshot) else { return .tooLarge(revision: snapshot.revision) }
        return .catalogue(committed(snapshot, sha256: sha256, bytes: bytes))
    }

    /// Encodes a catalogue of this replica for a storage that has lost it.
    func encode(_ revision: String, for id: FleetMember.FetchID) async {
        let served = state.withLock { state in
            [state.served, state.whole].compactMap(\.self).first { $0.snapshot.revision == revision }
        }
        guard let served else { return handle(.fetched(id, .failed(.unused))) }
        let source = PointerSource(served.snapshot, askedAt: served.snapshot.checkedAt)
        handle(.fetched(id, await catalogue(of: served.encoded).with(source)))
    }

    /// Encodes a catalogue and keeps its blob until it is committed; nil for one that is too large.
    private func encode(_ snapshot: ProductsSnapshot) async -> (sha256: String, bytes: Int)? {
        let limit = settings.maxBytes
        let snapshot = snapshot.from(.network)
        guard let blob = try? await offLoop({ try CatalogueBlob(of: snapshot, maxBytes: limit) }) else { return nil }
        state.withLock { $0.blob = blob }
        return (blob.sha256, blob.bytes.count)
    }

    /// The blob of this name, kept or made again; nil if no catalogue gives the same bytes.
    private func blob(_ sha256: String) async -> [UInt8]? {
        let (kept, snapshots) = state.withLock { state in
            (state.blob, [state.served?.encoded, state.whole?.encoded, state.fetched?.snapshot].compactMap(\.self))
        }
        if let kept, kept.sha256 == sha256 { return kept.bytes }
        for snapshot in snapshots where await encode(snapshot)?.sha256 == sha256 {
            return state.withLock { $0.blob }?.bytes
        }
        state.withLock { $0.unmakable = sha256 }
        return nil
    }
}

extension StorageReply {
    fileprivate var contents: StorageContents? {
        switch self {
        case .contents(let contents), .granted(_, _, let contents), .newer(let contents): contents
        case .committed, .taken, .paused, .fenced, .missing, .blob, .done: nil
        }
    }
}

extension StorageCommand {
    fileprivate var isWrite: Bool {
        switch self {
        case .commit, .confirm, .writeBlob, .acquire, .pin, .accept, .renew: true
        case .read, .release, .readBlob, .reportDamage: false
        }
    }
}
