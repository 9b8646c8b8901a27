internal import JSON
internal import Redis

/// Serves operators and pages, beside the commands of members.
extension RedisStorage {
    /// The time after which a silent member is removed, in milliseconds.
    private static let forgetting = 86_400_000
    /// The number of members that are listed at most.
    private static let mostMembers = 256

    /// Tries the commands of replicas, as the user of the connection, without lasting changes.
    /// - Returns: the refusals, each after the name of its command.
    package func rehearse(within limit: Duration) async -> Result<[String], StorageFault> {
        await result(within: limit) { (end) throws(StorageFault) in
            try await run(.rehearsal, blobs: ["rehearsal"], [], end).compactMap(\.text)
        }
    }

    package func history(within limit: Duration) async -> Result<[CataloguePointer], StorageFault> {
        await result(within: limit) { (end) throws(StorageFault) in
            let entries = try await send([["LRANGE", keys.history, "0", "\(keep - 1)"]], end)[0].items ?? []
            return entries.compactMap { entry in
                UntrustedStorage.object(entry).flatMap { UntrustedStorage.pointer(json: .object($0)) }
            }
        }
    }

    package func publishStatus(_ own: MemberStatus, within limit: Duration) async -> Result<Void, StorageFault> {
        await result(within: limit) { (end) throws(StorageFault) in try await publishStatus(own, end) }
    }

    private func publishStatus(_ own: MemberStatus, _ end: ContinuousClock.Instant) async throws(StorageFault) {
        let name = UntrustedStorage.cut(own.name, UntrustedStorage.longestName)
        let said = try await send([["HSET", keys.members, name, UntrustedStorage.text(of: own)]], end)
        if said == [.null] { _ = try await send([["DEL", keys.members]], end) }
    }

    package func exchange(_ own: MemberStatus, within limit: Duration) async -> Result<[MemberStatus], StorageFault> {
        await result(within: limit) { (end) throws(StorageFault) in
            do throws(StorageFault) {
                try await publishStatus(own, end)
            } catch .readOnly {
                // The others can still be read.
            }
            let values = try await send(
                [["HRANDFIELD", keys.members, "\(Self.mostMembers)", "WITHVALUES"], ["TIME"]], end)
            let now = UntrustedStorage.time(values[1]) ?? own.at
            let (found, forgotten) = members(values[0].items ?? [], now: now)
            if !forgotten.isEmpty { _ = try? await send([["HDEL", keys.members] + forgotten], end) }
            return found
        }
    }

    private func members(_ items: [RedisValue], now: Int) -> (found: [MemberStatus], forgotten: [String]) {
        var (found, forgotten): ([MemberStatus], [String]) = ([], [])
        for index in stride(from: 0, to: items.count - 1, by: 2) {
            guard let name = items[index].text else { continue }
            if name.utf8.count <= UntrustedStorage.longestName, name == UntrustedStorage.line(name),
                let status = UntrustedStorage.status(items[index + 1], name: name),
                abs(now - status.at) <= Self.forgetting
            {
                found.append(status)
            } else {
                forgotten.append(name)
            }
        }
        return (found.sorted { $0.name < $1.name }, forgotten)
    }

    package func former(maxBytes: Int, within limit: Duration) async -> Result<FormerCatalogue?, StorageFault> {
        await result(within: limit) { (end) throws(StorageFault) -> FormerCatalogue? in
            let latest = UntrustedStorage.hex(try await send([["GETRANGE", keys.latest, "0", "12"]], end)[0], 12)
            guard let latest, latest != keys.fingerprint else { return nil }
            let former = StorageKeys(name: keys.name, fingerprint: latest)
            let fields = try await send([["HMGET", former.current] + UntrustedStorage.pointerFields], end)[0]
            guard let pointer = UntrustedStorage.pointer(fields), pointer.bytes <= maxBytes,
                let blob = try await bytesOfBlob(pointer.sha256, pointer.bytes, in: former, end)
            else { return nil }
            return FormerCatalogue(fingerprint: latest, pointer: pointer, blob: blob)
        }
    }

    private func result<Value>(
        within limit: Duration, _ body: (ContinuousClock.Instant) async throws(StorageFault) -> Value
    ) async -> Result<Value, StorageFault> {
        do throws(StorageFault) {
            return .success(try await body(.now + limit))
        } catch {
            return .failure(error)
        }
    }
}

extension UntrustedStorage {
    static func text(of record: PinRecord) -> String { JSONValue.object(json(of: record)).description }

    /// The record as JSON. A reason that is too long is cut.
    static func json(of record: PinRecord) -> JSONObject {
        var members: JSONObject = ["version": .count(record.version), "by": .string(cut(record.by, 256))]
        if let reason = record.reason { members["reason"] = .string(cut(reason, 1024)) }
        members["pointer"] = record.pointer.map { .object(json(of: $0)) }
        return members
    }

    static func json(of pointer: CataloguePointer) -> JSONObject {
        [
            "generation": .count(pointer.generation), "revision": .string(pointer.revision),
            "epoch": .count(pointer.epoch), "startedAt": .count(pointer.startedAt),
            "checkedAt": .count(pointer.checkedAt), "count": .count(pointer.count), "bytes": .count(pointer.bytes),
            "sha256": .string(pointer.sha256), "encoding": .string(pointer.encoding),
            "writer": .string(cut(pointer.writer, longestName)), "source": .string(pointer.source?.text ?? ""),
            "accepted": .bool(pointer.isAccepted),
        ]
    }

    static func text(of seen: SeenFailure) -> String {
        JSONValue.object([
            "reason": .string(cut(seen.reason, longestName)), "detail": .string(cut(seen.detail, 1024)),
            "member": .string(cut(seen.member, longestName)),
        ]).description
    }

    static func text(of status: MemberStatus) -> String {
        JSONValue.object([
            "generation": .count(status.generation), "revision": .string(status.revision),
            "startedAt": .count(status.startedAt), "isHolder": .bool(status.isHolder), "at": .count(status.at),
        ]).description
    }

    /// The beginning of a text, at most `length` bytes of UTF-8.
    static func cut(_ text: String, _ length: Int) -> String {
        var beginning = Substring(decoding: text.utf8.prefix(length), as: UTF8.self)
        while beginning.utf8.count > length { beginning.removeLast() }
        return String(beginning)
    }
}

extension RedisScript {
    /// Tries every command that a replica needs, on a key of no fleet, which is removed at the end.
    /// - Returns: the errors, each after the name of its command.
    static let rehearsal = RedisScript(
        #"""
        local failed = {}
        local function try(name, ...)
          local reply = redis.pcall(name, ...)
          if type(reply) == 'table' and reply.err then failed[#failed + 1] = name .. ': ' .. reply.err end
        end
        try('DEL', blob)
        for _, command in ipairs({
          {'SET', blob, '1', 'PX', 5000}, {'GETRANGE', blob, 0, 1}, {'STRLEN', blob}, {'PTTL', blob}, {'TYPE', blob},
          {'DEL', blob}, {'HSET', blob, 'a', '1'}, {'HGET', blob, 'a'}, {'HMGET', blob, 'a'}, {'HRANDFIELD', blob, 1},
          {'HDEL', blob, 'a'}, {'SADD', blob, '1'}, {'SRANDMEMBER', blob, 1}, {'SREM', blob, '1'}, {'LPUSH', blob, '1'},
          {'LINDEX', blob, 0}, {'LRANGE', blob, 0, 0}, {'LTRIM', blob, 0, 0}, {'LPOP', blob}, {'TIME'},
          {'PUBSUB', 'NUMSUB', channel}, {'PUBLISH', channel, '{}'}
        }) do try(unpack(command)) end
        return failed
        """#)
}
