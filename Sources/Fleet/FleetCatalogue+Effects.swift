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
                // It is another catalogue by now.
                handle(.failed(id, .silent))
                return
            }
        }
        let sent = uptime.now
        switch await perform(command, blob: blob, within: limit) {
        case .success(let reply):
            var told = reply
            if case .renew = command { told = .done }
            handle(.reply(id, told)) { state in
                guard reply == .done else { return }
                switch command {
                case .renew(let claim, let milliseconds) where state.claim?.claim == claim:
                    state.claim?.until = sent + .milliseconds(milliseconds)
                case .pin(let record): state.storedPin = record.version
                default: break
                }
            }
        case .failure(let fault):
            handle(.failed(id, fault)) { state in
                if case .pin = command { state.storedPin = 0 }
            }
        }
    }

    /// Carries out a command, and learns the time of the storage from its reply.
    func perform(
        _ command: StorageCommand, blob: [UInt8]? = nil, within limit: Duration
    ) async -> Result<StorageReply, StorageFault> {
        guard let storage = state.withLock({ $0.storage }) else { return .failure(.silent) }
        let sent = uptime.now
        let result = await storage.perform(command, blob: blob, within: limit)
        let received = uptime.now
        if case .success(let reply) = result, let now = reply.time {
            state.withLock { state in
                // A late reply says little about the time.
                guard state.time == nil || received - sent <= settings.commandLimit else { return }
                state.time = StorageTime(now, sent: sent, received: received)
            }
            noteSkew()
        }
        note(result, of: command)
        return result
    }

    /// Logs once that the clocks disagree, and that they agree again.
    private func noteSkew() {
        let (wall, now) = (wallClock.now().milliseconds, uptime.now)
        let difference = state.withLock { state -> Int? in
            guard let time = state.time else { return nil }
            let difference = wall - time.now(at: now)
            guard state.isSkewed != (abs(difference) > Self.tolerance) else { return nil }
            state.isSkewed.toggle()
            return difference
        }
        guard let difference else { return }
        let isSkewed = abs(difference) > Self.tolerance
        let words = "\(abs(difference) / 1000) s \(difference < 0 ? "behind" : "ahead of") the store's"
        book.record(.clock, isSkewed ? "this machine's clock is \(words)" : nil)
        if isSkewed {
            logger.warning(
                "this machine's clock and the shared storage's disagree",
                metadata: ["ahead_seconds": "\(Double(difference) / 1000)"])
        } else {
            logger.notice("this machine's clock and the shared storage's agree again")
        }
    }

    /// Logs each refusal of the storage once, and when it begins and ceases not to write.
    private func note(_ result: Result<StorageReply, StorageFault>, of command: StorageCommand) {
        switch result {
        case .success where command.isWrite:
            let isNew = state.withLock { state in
                defer { state.isReadOnly = false }
                return state.isReadOnly
            }
            book.record(.sharedStore, nil, named: "writes")
            if isNew { logger.notice("the shared storage writes again") }
        case .failure(.readOnly):
            let isNew = state.withLock { state in
                defer { state.isReadOnly = true }
                return !state.isReadOnly
            }
            book.record(.sharedStore, "it does not write", named: "writes")
            if isNew { logger.warning("the shared storage does not write") }
        case .failure(.refused(let text)):
            if isFirst(text) { logger.error("the shared storage refuses a command", metadata: ["error": "\(text)"]) }
        case .success, .failure(.silent): break
        }
    }

    /// Whether this is to be logged: not again what was lately.
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

    /// Checks and decodes the blob of a pointer. The own gate judges it, unless it is pinned.
    func examine(_ pointer: CataloguePointer, _ bytes: [UInt8]) async {
        let (known, judge) = state.withLock { state in
            ((state.held ?? state.whole)?.snapshot.catalogue, state.isPin(pointer) ? nil : state.judge)
        }
        do {
            let snapshot = try await decode(bytes, as: pointer, known: known)
            if let judge {
                // The pointer carries an operator's acceptance to replicas that were away. The gate expects one revision at
                // a time, so an open order about another one is put back afterwards.
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

    /// Encodes a fetched catalogue. One that the storage holds is only confirmed, for which its pointer says enough.
    func encoded(_ snapshot: ProductsSnapshot) async -> FleetMember.FetchOutcome {
        let (pointer, unmakable) = state.withLock { ($0.pointer, $0.unmakable) }
        if let pointer, pointer.revision == snapshot.revision, pointer.sha256 != unmakable {
            var catalogue = unwritten(snapshot)
            (catalogue.sha256, catalogue.bytes) = (pointer.sha256, pointer.bytes)
            return .catalogue(catalogue)
        }
        return await catalogue(of: snapshot)
    }

    /// A catalogue without a blob.
    func unwritten(_ snapshot: ProductsSnapshot) -> CommittedCatalogue {
        CommittedCatalogue(
            revision: snapshot.revision, count: snapshot.products.count, bytes: 0, sha256: "", writer: settings.name)
    }

    private func catalogue(of snapshot: ProductsSnapshot) async -> FleetMember.FetchOutcome {
        guard let (sha256, bytes) = await encode(snapshot) else { return .tooLarge(revision: snapshot.revision) }
        var catalogue = unwritten(snapshot)
        (catalogue.sha256, catalogue.bytes) = (sha256, bytes)
        return .catalogue(catalogue)
    }

    /// Encodes a catalogue of this replica, which the storage has lost.
    func encode(_ revision: String, for id: FleetMember.FetchID) async {
        let held = state.withLock { state in
            [state.held, state.whole].compactMap(\.self).first { $0.snapshot.revision == revision }
        }
        guard let held else { return handle(.fetched(id, .failed(.unused))) }
        let source = PointerSource(held.snapshot, askedAt: held.snapshot.checkedAt)
        handle(.fetched(id, await catalogue(of: held.encoded).with(source)))
    }

    /// Encodes a catalogue and keeps its blob until it is committed; nil for one that is too large.
    private func encode(_ snapshot: ProductsSnapshot) async -> (sha256: String, bytes: Int)? {
        let limit = settings.maxBytes
        let snapshot = snapshot.from(.network)
        guard let blob = try? await offLoop({ try CatalogueBlob(of: snapshot, maxBytes: limit) }) else { return nil }
        state.withLock { $0.blob = blob }
        return (blob.sha256, blob.bytes.count)
    }

    /// The blob of this name, made again from a catalogue with the same products where it is not kept; nil where that gives
    /// other bytes.
    private func blob(_ sha256: String) async -> [UInt8]? {
        let (kept, snapshots) = state.withLock { state in
            (state.blob, [state.held?.encoded, state.whole?.encoded, state.fetched?.snapshot].compactMap(\.self))
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
    /// The time by the storage's clock; nil where the reply does not say it.
    fileprivate var time: Int? {
        switch self {
        case .contents(let contents), .granted(_, _, let contents), .newer(let contents):
            contents.now > 0 ? contents.now : nil
        case .committed(let pointer): pointer.checkedAt
        case .taken, .paused, .fenced, .missing, .blob, .done: nil
        }
    }
}

extension StorageCommand {
    fileprivate var isWrite: Bool {
        switch self {
        case .commit, .confirm, .writeBlob, .acquire, .pin, .renew: true
        case .read, .release, .readBlob, .reportDamage: false
        }
    }
}
