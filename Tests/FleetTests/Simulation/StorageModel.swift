import Fleet

/// A storage in memory that carries out each command as the scripts of a real one do.
///
/// `now` is the time of the storage in milliseconds since 1970.
struct StorageModel: Sendable, Hashable {
    /// Checks that are left out on purpose, to see that the simulation finds it.
    struct Breakage: OptionSet, Sendable, Hashable {
        let rawValue: Int

        static let noNonceCheck = Breakage(rawValue: 1)
        static let noEpochCheck = Breakage(rawValue: 2)
        static let noTimeCheck = Breakage(rawValue: 4)
        static let noExclusion = Breakage(rawValue: 8)
        static let noLengthCheck = Breakage(rawValue: 16)
        /// An order to accept goes on after the commit that it was about.
        static let noAcceptEnd = Breakage(rawValue: 32)
        static let noRenewal = Breakage(rawValue: 64)
        /// An order to accept counts for whichever catalogue has become current.
        static let noBaseCheck = Breakage(rawValue: 128)
    }

    struct Turn: Sendable, Hashable {
        var nonce: String
        var expiry: Int
    }

    struct Attempt: Sendable, Hashable {
        var failures = 0
        var notBefore = 0
        var refused: String?
        var seen: SeenFailure?
    }

    var current: CataloguePointer?
    var blobs: [String: [UInt8]] = [:]
    /// Newest first.
    var history: [CataloguePointer] = []
    var turn: Turn?
    var epoch = 0
    var attempt = Attempt()
    var accepted: String?
    var pin: PinRecord?
    /// The blob of `current` that a member found damaged; until it is written again.
    var damaged: String?

    var keep = 5
    /// The members that get announcements; 0 where that is not known.
    var listeners = 0
    var breakage: Breakage = []

    /// Forgets everything, as an engine without persistence does at a restart.
    mutating func forget() {
        var empty = StorageModel()
        (empty.keep, empty.listeners, empty.breakage) = (keep, listeners, breakage)
        self = empty
    }

    /// The place of a time in the order of catalogues: more than a day ahead it is none.
    static func time(of startedAt: Int?, at now: Int) -> Int {
        guard let startedAt, startedAt <= now + 86_400_000 else { return 0 }
        return startedAt
    }

    /// Carries out a command; `blob` is what `writeBlob` writes.
    mutating func perform(
        _ command: StorageCommand, blob: [UInt8]? = nil, now: Int, announce: (Announcement) -> Void
    ) -> StorageReply {
        if turn.map({ $0.expiry <= now }) == true { turn = nil }
        switch command {
        case .read: return .contents(contents(at: now))
        case .acquire(let request): return acquire(request, now: now)
        case .commit(let claim, let catalogue): return commit(claim, catalogue, now: now, announce: announce)
        case .confirm(let claim, let revision, let source):
            return confirm(claim, revision, source, now: now, announce: announce)
        case .renew(let claim, let milliseconds):
            guard turn?.nonce == claim.nonce else { return .fenced }
            if !breakage.contains(.noRenewal) { turn?.expiry = now + milliseconds }
            return .done
        case .release(let nonce, let cause, let seen):
            guard turn?.nonce == nonce else { return .done }
            release(cause, now: now)
            if cause != .unused { attempt.seen = seen }
            announce(.look)
            return .done
        case .readBlob(let sha256, let bytes): return .blob(blobs[sha256].map { Array($0.prefix(bytes + 1)) })
        case .writeBlob(let sha256):
            blobs[sha256] = blob ?? []
            if damaged == sha256 {
                damaged = nil
            }
            return .done
        case .pin(let record):
            if record.version > pin?.version ?? 0 {
                pin = record
            }
            announce(.look)
            return .done
        case .accept(let revision, let base):
            if current?.revision != base, !breakage.contains(.noBaseCheck) { return .fenced }
            accepted = revision
            announce(.look)
            return .done
        case .reportDamage(let sha256):
            if current?.sha256 == sha256 {
                damaged = sha256
            }
            announce(.damaged(sha256: sha256))
            return .done
        }
    }

    func contents(at now: Int) -> StorageContents {
        StorageContents(
            pointer: current, pin: pin, epoch: epoch, refused: attempt.refused, accepted: accepted,
            failures: attempt.failures, now: now)
    }

    private mutating func acquire(_ request: TurnRequest, now: Int) -> StorageReply {
        if let turn, turn.nonce != request.nonce, !breakage.contains(.noExclusion) {
            return .taken(milliseconds: turn.expiry - now)
        }
        let known = Self.time(of: request.knownStartedAt, at: now)
        let time = Self.time(of: current?.startedAt, at: now)
        switch request.purpose {
        case .refresh:
            if current != nil, time > known, !request.isForced {
                return .newer(contents(at: now))
            }
            if !request.isForced, attempt.notBefore > now {
                return .paused(
                    milliseconds: attempt.notBefore - now, failures: attempt.failures, seen: attempt.seen)
            }
        case .refill:
            if let current, time >= known, hasWhole(current) {
                return .newer(contents(at: now))
            }
        }
        epoch = max(epoch, request.seenEpoch) + 1
        turn = Turn(nonce: request.nonce, expiry: now + request.milliseconds)
        let startedAt =
            request.purpose == .refill ? max(known, 1) : max(now, time + 1, known + 1)
        return .granted(
            Claim(nonce: request.nonce, epoch: epoch, startedAt: startedAt), milliseconds: request.milliseconds,
            contents(at: now))
    }

    /// Whether the blob has its length, and has not been found damaged since it was written.
    private func hasWhole(_ pointer: CataloguePointer) -> Bool {
        blobs[pointer.sha256]?.count == pointer.bytes && damaged != pointer.sha256
    }

    private func isFenced(_ claim: Claim, _ revision: String, _ now: Int) -> Bool {
        if turn?.nonce != claim.nonce, !breakage.contains(.noNonceCheck) { return true }
        if claim.epoch < epoch, !breakage.contains(.noEpochCheck) { return true }
        if Self.time(of: claim.startedAt, at: now) != claim.startedAt { return true }
        guard let current, !breakage.contains(.noTimeCheck) else { return false }
        let time = Self.time(of: current.startedAt, at: now)
        return claim.startedAt < time || (claim.startedAt == time && revision != current.revision)
    }

    private mutating func commit(
        _ claim: Claim, _ catalogue: CommittedCatalogue, now: Int, announce: (Announcement) -> Void
    ) -> StorageReply {
        if isFenced(claim, catalogue.revision, now) { return .fenced }
        if blobs[catalogue.sha256]?.count != catalogue.bytes, !breakage.contains(.noLengthCheck) { return .missing }
        let isSame = current?.revision == catalogue.revision
        let isAccepted =
            catalogue.isAccepted || accepted == catalogue.revision || (isSame && current?.isAccepted == true)
        let pointer = CataloguePointer(
            generation: max(current?.generation ?? 0, history.first?.generation ?? 0) + 1,
            revision: catalogue.revision, epoch: claim.epoch, startedAt: claim.startedAt, checkedAt: now,
            count: catalogue.count, bytes: catalogue.bytes, sha256: catalogue.sha256, writer: catalogue.writer,
            source: catalogue.source, isAccepted: isAccepted)
        if !isSame, !breakage.contains(.noAcceptEnd) { accepted = nil }
        current = pointer
        epoch = max(epoch, claim.epoch)
        // A catalogue that is written again has one place in the history.
        if history.first?.revision == pointer.revision {
            history.removeFirst()
        }
        history.insert(pointer, at: 0)
        if history.count > keep {
            history.removeLast(history.count - keep)
        }
        blobs = blobs.filter { name, _ in
            name == pointer.sha256 || name == pin?.pointer?.sha256 || history.contains { $0.sha256 == name }
        }
        finish(announcing: pointer, announce)
        return .committed(pointer)
    }

    private mutating func confirm(
        _ claim: Claim, _ revision: String, _ source: PointerSource?, now: Int, announce: (Announcement) -> Void
    ) -> StorageReply {
        if isFenced(claim, revision, now) { return .fenced }
        guard var pointer = current, pointer.revision == revision, hasWhole(pointer) else { return .missing }
        (pointer.startedAt, pointer.checkedAt, pointer.source) = (claim.startedAt, now, source)
        if accepted == revision {
            pointer.isAccepted = true
            if !breakage.contains(.noAcceptEnd) { accepted = nil }
        }
        current = pointer
        finish(announcing: pointer, announce)
        return .committed(pointer)
    }

    private mutating func finish(announcing pointer: CataloguePointer, _ announce: (Announcement) -> Void) {
        (attempt, turn) = (Attempt(), nil)
        announce(.pointer(pointer, listeners: listeners))
    }

    private mutating func release(_ cause: ReleaseCause, now: Int) {
        turn = nil
        guard cause != .unused else { return }
        attempt.failures += 1
        var pause = min(30_000, 1_000 << min(attempt.failures - 1, 5))
        if case .failed(let refused) = cause {
            attempt.refused = refused
        } else if attempt.failures == 1 {
            // The first member without a way to the upstream hands the turn on at once.
            pause = 0
        }
        attempt.notBefore = now + pause
    }
}
