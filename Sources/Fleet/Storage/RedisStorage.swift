internal import Concurrency
internal import JSON
package import Logging
package import Redis

/// Keeps the catalogue of a fleet in Redis or Valkey.
///
/// Replies are untrusted: a value of another type or form counts as absent, and scripts write over it.
package final class RedisStorage: FleetStorage {
    let client: any RedisCommanding
    let keys: StorageKeys
    let keep: Int
    private let logger: Logger
    private let isMalformed = Mutex(false)
    package let events: AsyncStream<FleetStorageEvent>
    /// The names of superfluous blobs that one commit looks for, at most.
    private static let sweep = 64
    private static let noBlob = String(repeating: "0", count: 64)

    /// - Parameters:
    ///   - client: subscribed to ``channel(of:)``.
    ///   - keep: the number of catalogues that the history keeps.
    package init(client: any RedisCommanding, keys: StorageKeys, keep: Int, logger: Logger) {
        (self.client, self.keys, self.keep, self.logger) = (client, keys, max(1, keep), logger)
        let heard = client.events
        // Buffers nothing itself, so that the client's bound on waiting messages holds.
        events = AsyncStream {
            for await event in heard {
                switch event {
                case .connected: return .up
                case .disconnected(let cause): return .down(cause)
                case .message(let bytes):
                    if let announcement = Announcement(message: bytes) { return .announced(announcement) }
                }
            }
            return nil
        }
    }

    /// The channel of the announcements.
    package static func channel(of keys: StorageKeys) -> String { keys.channel }

    package func run() async {
        await client.run()
    }

    package func perform(
        _ command: StorageCommand, blob: [UInt8]?, within limit: Duration
    ) async -> Result<StorageReply, StorageFault> {
        do throws(StorageFault) {
            return .success(try await reply(to: command, blob, .now + limit))
        } catch {
            return .failure(error)
        }
    }

    private func reply(
        to command: StorageCommand, _ blob: [UInt8]?, _ end: ContinuousClock.Instant
    ) async throws(StorageFault) -> StorageReply {
        switch command {
        case .read: return .contents(try await read(end))
        case .acquire(let request):
            let current = request.purpose == .refill ? try await currentBlob(end) : Self.noBlob
            let arguments = [
                request.nonce, "\(max(1, request.milliseconds))", request.purpose.rawValue, digits(request.seenEpoch),
                digits(request.knownStartedAt), request.isForced ? "1" : "0",
            ]
            let items = try await run(.acquire, blobs: [current], arguments, end)
            return try parsed(items, claimedBy: request)
        case .commit(let claim, let catalogue):
            guard StorageKeys.isHex(catalogue.revision, 32), StorageKeys.isHex(catalogue.sha256, 64),
                catalogue.bytes > 0, claim.startedAt > 0
            else { throw .refused("the catalogue to commit is none") }
            let known = try await send([["SRANDMEMBER", keys.blobs, "\(Self.sweep)"]], end)[0].items ?? []
            let others = known.compactMap { UntrustedStorage.hex($0, 64) }.filter { $0 != catalogue.sha256 }
            let arguments =
                evidence(claim, catalogue.revision) + [
                    digits(catalogue.count), digits(catalogue.bytes), catalogue.sha256,
                    UntrustedStorage.cut(catalogue.writer, UntrustedStorage.longestName), "\(keep)",
                    catalogue.source?.text ?? "", catalogue.isAccepted ? "1" : "0",
                ]
            let reply = try parsed(try await run(.commit, blobs: [catalogue.sha256] + others, arguments, end))
            if case .committed = reply { _ = try? await send([["SET", keys.latest, keys.fingerprint]], end) }
            return reply
        case .confirm(let claim, let revision, let source):
            let current = try await currentBlob(end)
            let arguments = evidence(claim, revision) + [source?.text ?? ""]
            return try parsed(try await run(.confirm, blobs: [current], arguments, end))
        case .renew(let claim, let milliseconds):
            return try parsed(try await run(.renew, [claim.nonce, "\(max(1, milliseconds))"], end))
        case .release(let nonce, let cause, let seen):
            let (word, refused) =
                switch cause {
                case .unused: ("unused", "")
                case .failed(let refused): ("failed", refused ?? "")
                case .unreachable: ("unreachable", "")
                }
            let text = seen.map { UntrustedStorage.text(of: $0) } ?? ""
            return try parsed(try await run(.release, [nonce, word, refused, text], end))
        case .readBlob(let sha256, let bytes): return .blob(try await bytesOfBlob(sha256, bytes, in: keys, end))
        case .writeBlob(let sha256):
            guard let blob else { throw .refused("there is no blob to write") }
            return try await write(blob, sha256, end)
        case .pin(let record):
            let arguments = [digits(record.version), UntrustedStorage.text(of: record)]
            return try parsed(try await run(.pin, arguments, end))
        case .accept(let revision, let current):
            guard StorageKeys.isHex(revision, 32) else { throw .refused("a revision is 32 hexadecimal digits") }
            return try parsed(try await run(.accept, [revision, current ?? ""], end))
        case .reportDamage(let sha256): return try parsed(try await run(.reportDamage, [sha256], end))
        }
    }

    private func read(_ end: ContinuousClock.Instant) async throws(StorageFault) -> StorageContents {
        let values = try await send(
            [
                ["HMGET", keys.current] + UntrustedStorage.pointerFields,
                ["GETRANGE", keys.pin, "0", "\(UntrustedStorage.longestPin)"], ["GETRANGE", keys.epoch, "0", "13"],
                ["HMGET", keys.attempt] + UntrustedStorage.attemptFields, ["GETRANGE", keys.accepted, "0", "32"],
                ["TIME"],
            ], end)
        guard let now = UntrustedStorage.time(values[5]), let contents = UntrustedStorage.contents(values, now: now)
        else { throw .refused("the reply to TIME is none") }
        let isAbsent = values[0].items?.allSatisfy { $0 == .null } ?? false
        let isMalformed = contents.pointer == nil && !isAbsent
        if self.isMalformed.withLock({ was in
            defer { was = isMalformed }
            return isMalformed && !was
        }) {
            logger.warning(
                "the shared storage has a malformed pointer, which counts as none", metadata: ["key": "\(keys.current)"]
            )
        }
        return contents
    }

    /// The SHA-256 of the blob that is current now, so that a script can be given its key.
    private func currentBlob(_ end: ContinuousClock.Instant) async throws(StorageFault) -> String {
        UntrustedStorage.hex(try await send([["HGET", keys.current, "sha256"]], end)[0], 64) ?? Self.noBlob
    }

    /// Writes a blob again, which repairs it. Its name is noted first, so that it is found when it is superfluous.
    private func write(_ blob: [UInt8], _ sha256: String, _ end: ContinuousClock.Instant) async throws(StorageFault)
        -> StorageReply
    {
        let note = ["SADD", keys.blobs, sha256].map { Array($0.utf8) }
        let set = ["SET", keys.blob(sha256)].map { Array($0.utf8) } + [blob]
        let look = ["GETRANGE", keys.damaged, "0", "64"].map { Array($0.utf8) }
        let values = try await send(bytes: [note, set, look], end)
        if UntrustedStorage.hex(values[2], 64) == sha256 { _ = try await send([["DEL", keys.damaged]], end) }
        return .done
    }

    func bytesOfBlob(
        _ sha256: String, _ bytes: Int, in keys: StorageKeys, _ end: ContinuousClock.Instant
    ) async throws(StorageFault) -> [UInt8]? {
        let value = try await send([["GETRANGE", keys.blob(sha256), "0", digits(bytes)]], end)[0]
        guard case .bytes(let blob) = value, !blob.isEmpty else { return nil }
        return blob
    }

    private func evidence(_ claim: Claim, _ revision: String) -> [String] {
        [claim.nonce, digits(claim.epoch), digits(claim.startedAt), revision]
    }

    private func digits(_ number: Int) -> String { "\(min(max(0, number), UntrustedStorage.highest))" }

    private func parsed(
        _ items: [RedisValue], claimedBy request: TurnRequest? = nil
    ) throws(StorageFault) -> StorageReply {
        let rest = items.dropFirst().map { $0 }
        switch (items.first?.text, rest.count) {
        case ("done", 0): return .done
        case ("fenced", 0): return .fenced
        case ("missing", 0): return .missing
        case ("taken", 1): if let left = UntrustedStorage.number(rest[0]) { return .taken(milliseconds: left) }
        case ("paused", 3):
            if let left = UntrustedStorage.number(rest[0]), let failures = UntrustedStorage.number(rest[1]) {
                return .paused(milliseconds: left, failures: failures, seen: UntrustedStorage.seen(rest[2]))
            }
        case ("newer", 1): if let contents = contents(rest[0]) { return .newer(contents) }
        case ("committed", 1): if let pointer = UntrustedStorage.pointer(rest[0]) { return .committed(pointer) }
        case ("granted", 3):
            if let request, let epoch = UntrustedStorage.number(rest[0]), let contents = contents(rest[2]),
                let startedAt = UntrustedStorage.number(rest[1])
            {
                let claim = Claim(nonce: request.nonce, epoch: epoch, startedAt: startedAt)
                return .granted(claim, milliseconds: request.milliseconds, contents)
            }
        default: break
        }
        throw .refused("the reply of a script is malformed")
    }

    private func contents(_ value: RedisValue) -> StorageContents? {
        guard let items = value.items, items.count == 6, let now = UntrustedStorage.number(items[5]) else { return nil }
        return UntrustedStorage.contents(items, now: now)
    }

    func run(
        _ script: RedisScript, blobs: [String] = [], _ arguments: [String], _ end: ContinuousClock.Instant
    ) async throws(StorageFault) -> [RedisValue] {
        let names = keys.common + blobs.map(keys.blob)
        let rest = ["\(names.count)"] + names + [keys.channel] + arguments
        let value: RedisValue
        do throws(StorageFault) {
            value = try await send([["EVALSHA", script.digest] + rest], end)[0]
        } catch .refused(let text) where text.hasPrefix("NOSCRIPT") {
            value = try await send([["EVAL", script.text] + rest], end)[0]
        }
        return value.items ?? []
    }

    /// Sends commands, and throws if one is refused. A value of the wrong type counts as absent.
    func send(_ commands: [[String]], _ end: ContinuousClock.Instant) async throws(StorageFault) -> [RedisValue] {
        try await send(bytes: commands.map { $0.map { Array($0.utf8) } }, end)
    }

    private func send(bytes commands: [[[UInt8]]], _ end: ContinuousClock.Instant) async throws(StorageFault)
        -> [RedisValue]
    {
        var values: [RedisValue]
        do throws(RedisError) {
            let left = end - .now
            guard left > .zero else { throw RedisError.timedOut }
            values = try await client.send(commands, within: left)
        } catch {
            throw StorageFault(error)
        }
        guard values.count == commands.count else { throw .silent }
        for index in values.indices {
            guard case .error(let text) = values[index] else { continue }
            guard text.hasPrefix("WRONGTYPE") else { throw StorageFault(redis: text) }
            values[index] = .null
        }
        return values
    }
}
