internal import Concurrency
internal import JSON
package import Logging
package import Redis

/// Keeps the catalogue of a fleet in Redis or Valkey.
///
/// It believes nothing that it reads: a value of another type or form counts as absent, and what a script owns is written
/// over.
package final class RedisStorage: FleetStorage {
    /// The rules of an ACL user that can do what is needed, and nothing else. `+@connection` would be too much: with it a
    /// user can close or pause the connections of all others.
    package static let permissions = [
        "~larder:*", "&larder:*", "+ping", "+select", "+client|setname", "+eval", "+evalsha", "+subscribe", "+publish",
        "+pubsub|numsub", "+time", "+type", "+del", "+set", "+getrange", "+strlen", "+pttl", "+hget", "+hset", "+hmget",
        "+hdel", "+hrandfield", "+sadd", "+srem", "+srandmember", "+lpush", "+lpop", "+lindex", "+lrange", "+ltrim",
    ]

    let client: any RedisCommanding
    let keys: StorageKeys
    private let keep: Int
    private let logger: Logger
    private let isMalformed = Mutex(false)
    private let continuation: AsyncStream<FleetStorageEvent>.Continuation
    package let events: AsyncStream<FleetStorageEvent>
    /// The names of superfluous blobs that one commit looks for, at most.
    private static let sweep = 64
    private static let noBlob = String(repeating: "0", count: 64)

    /// - Parameters:
    ///   - client: subscribed to ``channel(of:)``.
    ///   - keep: the number of catalogues that the history keeps.
    package init(client: any RedisCommanding, keys: StorageKeys, keep: Int, logger: Logger) {
        (self.client, self.keys, self.keep, self.logger) = (client, keys, max(1, keep), logger)
        (events, continuation) = AsyncStream.makeStream()
    }

    /// The channel of the announcements.
    package static func channel(of keys: StorageKeys) -> String { keys.channel }

    package func run() async {
        await withTaskGroup { group in
            group.addTask { await self.client.run() }
            for await event in client.events {
                switch event {
                case .connected: continuation.yield(.up)
                case .disconnected(let cause): continuation.yield(.down(cause))
                case .message(let bytes):
                    if let announcement = Announcement(message: bytes) { continuation.yield(.announced(announcement)) }
                }
            }
            group.cancelAll()
        }
        continuation.finish()
    }

    package func perform(
        _ command: StorageCommand, blob: [UInt8]?, within limit: Duration
    ) async -> Result<StorageReply, StorageFault> {
        do throws(StorageFault) {
            return .success(try await reply(to: command, blob, limit))
        } catch {
            return .failure(error)
        }
    }

    private func reply(
        to command: StorageCommand, _ blob: [UInt8]?, _ limit: Duration
    ) async throws(StorageFault) -> StorageReply {
        switch command {
        case .read: return .contents(try await read(limit))
        case .acquire(let request):
            let current = request.purpose == .refill ? try await currentBlob(limit) : Self.noBlob
            let arguments = [
                request.nonce, "\(max(1, request.milliseconds))", request.purpose.rawValue, digits(request.seenEpoch),
                digits(request.heldStartedAt), request.isForced ? "1" : "0",
            ]
            let items = try await run(.acquire, blobs: [current], arguments, limit)
            return try parsed(items, claimedBy: request)
        case .commit(let claim, let catalogue):
            guard StorageKeys.isHex(catalogue.revision, 32), StorageKeys.isHex(catalogue.sha256, 64),
                catalogue.bytes > 0, claim.startedAt > 0
            else { throw .refused("the catalogue to commit is none") }
            let known = try await send([["SRANDMEMBER", keys.blobs, "\(Self.sweep)"]], limit)[0].items ?? []
            let others = known.compactMap { UntrustedStorage.hex($0, 64) }.filter { $0 != catalogue.sha256 }
            let arguments =
                evidence(claim, catalogue.revision) + [
                    digits(catalogue.count), digits(catalogue.bytes), catalogue.sha256,
                    UntrustedStorage.cut(catalogue.writer, UntrustedStorage.longestName), "\(keep)",
                ]
            let reply = try parsed(try await run(.commit, blobs: [catalogue.sha256] + others, arguments, limit))
            if case .committed = reply { _ = try? await send([["SET", keys.latest, keys.fingerprint]], limit) }
            return reply
        case .confirm(let claim, let revision):
            let current = try await currentBlob(limit)
            return try parsed(try await run(.confirm, blobs: [current], evidence(claim, revision), limit))
        case .release(let nonce, let cause):
            let (word, refused) =
                switch cause {
                case .unused: ("unused", "")
                case .failed(let refused): ("failed", refused ?? "")
                case .unreachable: ("unreachable", "")
                }
            return try parsed(try await run(.release, [nonce, word, refused], limit))
        case .readBlob(let sha256, let bytes): return .blob(try await bytesOfBlob(sha256, bytes, in: keys, limit))
        case .writeBlob(let sha256):
            guard let blob else { throw .refused("there is no blob to write") }
            return try await write(blob, sha256, limit)
        case .pin(let record):
            let arguments = [digits(record.version), UntrustedStorage.text(of: record)]
            return try parsed(try await run(.pin, arguments, limit))
        case .reportDamage(let sha256): return try parsed(try await run(.reportDamage, [sha256], limit))
        }
    }

    private func read(_ limit: Duration) async throws(StorageFault) -> StorageContents {
        let values = try await send(
            [
                ["HMGET", keys.current] + UntrustedStorage.pointerFields,
                ["GETRANGE", keys.pin, "0", "\(UntrustedStorage.longestPin)"], ["GETRANGE", keys.epoch, "0", "13"],
                ["HMGET", keys.attempt] + UntrustedStorage.attemptFields, ["GETRANGE", keys.accepted, "0", "32"],
                ["TIME"],
            ], limit)
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
    private func currentBlob(_ limit: Duration) async throws(StorageFault) -> String {
        UntrustedStorage.hex(try await send([["HGET", keys.current, "sha256"]], limit)[0], 64) ?? Self.noBlob
    }

    /// Writes a blob again, which repairs it. Its name is noted first, so that it is found when it is superfluous.
    private func write(_ blob: [UInt8], _ sha256: String, _ limit: Duration) async throws(StorageFault) -> StorageReply
    {
        let note = ["SADD", keys.blobs, sha256].map { Array($0.utf8) }
        let set = ["SET", keys.blob(sha256)].map { Array($0.utf8) } + [blob]
        let look = ["GETRANGE", keys.damaged, "0", "64"].map { Array($0.utf8) }
        let values = try await send(bytes: [note, set, look], limit)
        if UntrustedStorage.hex(values[2], 64) == sha256 { _ = try await send([["DEL", keys.damaged]], limit) }
        return .done
    }

    func bytesOfBlob(
        _ sha256: String, _ bytes: Int, in keys: StorageKeys, _ limit: Duration
    ) async throws(StorageFault) -> [UInt8]? {
        let value = try await send([["GETRANGE", keys.blob(sha256), "0", digits(bytes)]], limit)[0]
        guard case .bytes(let blob) = value, !blob.isEmpty else { return nil }
        return blob
    }

    private func evidence(_ claim: Claim, _ revision: String) -> [String] {
        [claim.nonce, digits(claim.epoch), digits(claim.startedAt), revision]
    }

    private func digits(_ number: Int) -> String { "\(min(max(0, number), UntrustedStorage.highest))" }

    private func parsed(
        _ items: [RedisValue], claimedBy request: LeaseRequest? = nil
    ) throws(StorageFault) -> StorageReply {
        let rest = items.dropFirst().map { $0 }
        switch (items.first?.text, rest.count) {
        case ("done", 0): return .done
        case ("fenced", 0): return .fenced
        case ("missing", 0): return .missing
        case ("taken", 1): if let left = UntrustedStorage.number(rest[0]) { return .taken(milliseconds: left) }
        case ("paused", 2):
            if let left = UntrustedStorage.number(rest[0]), let failures = UntrustedStorage.number(rest[1]) {
                return .paused(milliseconds: left, failures: failures)
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

    private func run(
        _ script: RedisScript, blobs: [String] = [], _ arguments: [String], _ limit: Duration
    ) async throws(StorageFault) -> [RedisValue] {
        let names = keys.common + blobs.map(keys.blob)
        let rest = ["\(names.count)"] + names + [keys.channel] + arguments
        let value: RedisValue
        do throws(StorageFault) {
            value = try await send([["EVALSHA", script.digest] + rest], limit)[0]
        } catch .refused(let text) where text.hasPrefix("NOSCRIPT") {
            value = try await send([["EVAL", script.text] + rest], limit)[0]
        }
        return value.items ?? []
    }

    /// Sends commands, and throws if one is refused. A value of the wrong type counts as absent.
    func send(_ commands: [[String]], _ limit: Duration) async throws(StorageFault) -> [RedisValue] {
        try await send(bytes: commands.map { $0.map { Array($0.utf8) } }, limit)
    }

    private func send(bytes commands: [[[UInt8]]], _ limit: Duration) async throws(StorageFault) -> [RedisValue] {
        var values: [RedisValue]
        do throws(RedisError) {
            values = try await client.send(commands, within: limit)
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
