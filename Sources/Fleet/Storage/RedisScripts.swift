internal import Hashing

/// A script that Redis carries out whole or not at all, named by the SHA-1 of its text.
///
/// The first write of each script is one that a full memory, a replica or a missing permission refuses, so that nothing
/// is written half. All that a script writes is computed before. Every key is among `KEYS`; numbers have at most 13
/// digits, which Lua keeps exactly.
///
/// The time of a catalogue that is more than a day ahead of the server's clock is none: it comes before all others.
struct RedisScript: Sendable {
    let text: String
    let digest: String

    init(_ body: String) {
        text = RedisPrelude.text + body
        digest = SHA1.hexDigits(of: text.utf8)
    }

    /// `ARGV`: channel, nonce, milliseconds, purpose, epoch seen, `startedAt` held, forced. `KEYS` ends with the blob
    /// that was current a moment ago: a later one was checked when it was committed.
    static let acquire = RedisScript(
        #"""
        local nonce, purpose, held, forced = ARGV[2], ARGV[4], timeOf(tonumber(ARGV[6])), ARGV[7] == '1'
        local found = pointer()
        local left = redis.call('PTTL', lease)
        local holder = text(lease, 128)
        if holder and holder ~= nonce and left >= 0 and left <= 3600000 then return {'taken', math.max(left, 1)} end
        if purpose == 'refresh' then
          if found and found.time > held and not forced then return {'newer', contents(found)} end
          local tries = attempts()
          local pause = (number(tries[2]) or 0) - now
          if pause > 0 and pause <= 30000 and not forced then
            local seen = redis.call('HGET', attempt, 'seen') or ''
            return {'paused', pause, number(tries[1]) or 0, #seen <= 4096 and seen or ''}
          end
        elseif found and found.time >= held then
          if blob:sub(-64) ~= found.sha256 or holds(blob, found.bytes) then return {'newer', contents(found)} end
        end
        local turn = digits(math.max(number(text(epoch, 13)) or 0, tonumber(ARGV[5])) + 1)
        local started = math.max(held, 1)
        if purpose == 'refresh' then started = math.max(now, (found and found.time or 0) + 1, held + 1) end
        redis.call('SET', epoch, turn)
        redis.call('SET', lease, nonce, 'PX', ARGV[3])
        return {'granted', turn, digits(started), contents(found)}
        """#)

    private static let fence = #"""
        local nonce, turn, started, revision = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
        local found = pointer()
        if text(lease, 128) ~= nonce or turn < (number(text(epoch, 13)) or 0) or timeOf(started) ~= started
          or found and (started < found.time or started == found.time and revision ~= found.revision)
        then return {'fenced'} end

        """#

    /// `ARGV`: channel, nonce, epoch, startedAt, revision, count, bytes, sha256, writer, keep, source, accepted before.
    /// `KEYS` ends with the blob, and with all that may have become superfluous.
    ///
    /// An order to accept is about the catalogue that was current then, so it ends with the next other one.
    static let commit = RedisScript(
        fence + #"""
            local count, bytes, sha256, writer, keep = ARGV[6], ARGV[7], ARGV[8], ARGV[9], tonumber(ARGV[10])
            if not is(blob, 'string') or redis.call('STRLEN', blob) ~= tonumber(bytes) then return {'missing'} end
            local newest = is(history, 'list') and decoded(redis.call('LINDEX', history, 0)) or {}
            local generation = math.max(found and found.generation or 0, whole(newest.generation) or 0) + 1
            if generation >= latest then generation = 1 end
            local isSame = found and found.revision == revision
            local isAccepted = ARGV[12] == '1' or text(accepted, 32) == revision or isSame and found.accepted
            local values = {digits(generation), revision, digits(turn), digits(started), digits(now), count, bytes, sha256,
              'gzip', writer, ARGV[11], isAccepted and '1' or '0'}
            local made = parsed(values)
            if not made then return {'fenced'} end
            made.values, made.time = nil, nil
            local named = {[sha256] = true}
            local pinned = decoded(text(pin, 16384)).pointer
            if type(pinned) == 'table' and hex(pinned.sha256, 64) then named[pinned.sha256] = true end
            own(blobs, 'set')
            redis.call('SADD', blobs, sha256)
            redis.call('DEL', current, attempt, lease)
            local pairs = {}
            for index, name in ipairs(fields) do pairs[2 * index - 1], pairs[2 * index] = name, values[index] end
            redis.call('HSET', current, unpack(pairs))
            if (number(text(epoch, 13)) or 0) < turn then redis.call('SET', epoch, digits(turn)) end
            if not isSame then redis.call('DEL', accepted) end
            own(history, 'list')
            if newest.revision == revision then redis.call('LPOP', history) end
            redis.call('LPUSH', history, cjson.encode(made))
            redis.call('LTRIM', history, 0, keep - 1)
            for _, entry in ipairs(redis.call('LRANGE', history, 0, -1)) do
              local kept = decoded(entry).sha256
              if hex(kept, 64) then named[kept] = true end
            end
            for index = 11, #KEYS do
              local name = KEYS[index]:sub(-64)
              if not named[name] then
                redis.call('DEL', KEYS[index])
                redis.call('SREM', blobs, name)
              end
            end
            announce()
            return {'committed', values}
            """#)

    /// `ARGV`: channel, nonce, epoch, startedAt, revision, source. `KEYS` ends with the blob of the revision.
    static let confirm = RedisScript(
        fence + #"""
            if not found or found.revision ~= revision or blob:sub(-64) ~= found.sha256
              or not holds(blob, found.bytes)
            then return {'missing'} end
            redis.call('HSET', current, 'startedAt', digits(started), 'checkedAt', digits(now), 'source', ARGV[6])
            redis.call('DEL', attempt, lease)
            if text(accepted, 32) == revision then
              redis.call('HSET', current, 'accepted', '1')
              redis.call('DEL', accepted)
            end
            announce()
            return {'committed', redis.call('HMGET', current, unpack(fields))}
            """#)

    /// `ARGV`: channel, nonce, milliseconds. Prolongs a turn.
    static let renew = RedisScript(
        #"""
        if text(lease, 128) ~= ARGV[2] then return {'fenced'} end
        redis.call('SET', lease, ARGV[2], 'PX', ARGV[3])
        return {'done'}
        """#)

    /// `ARGV`: channel, revision, current revision or nothing. Lets the revision take the place of the current one.
    static let accept = RedisScript(
        #"""
        local found = pointer()
        if (found and found.revision or '') ~= ARGV[3] then return {'fenced'} end
        redis.call('SET', accepted, ARGV[2])
        look()
        return {'done'}
        """#)

    /// `ARGV`: channel, nonce, cause, revision refused, failure seen. Gives the lease back even where memory is full.
    static let release = RedisScript(
        #"""
        local cause, refused, seen = ARGV[3], ARGV[4], ARGV[5]
        if text(lease, 128) ~= ARGV[2] then return {'done'} end
        redis.call('DEL', lease)
        if cause ~= 'unused' then
          local failures = (number(attempts()[1]) or 0) + 1
          local isHandedOn = cause == 'unreachable' and failures == 1
          local notBefore = isHandedOn and now or now + math.min(30000, 1000 * 2 ^ (failures - 1))
          own(attempt, 'hash')
          redis.call('HSET', attempt, 'failures', digits(failures), 'notBefore', digits(notBefore), 'seen', seen)
          if cause == 'failed' then redis.call('HSET', attempt, 'refused', refused) end
        end
        look()
        return {'done'}
        """#)

    /// `ARGV`: channel, version, record. One that replicas do not read, or that is more than a day ahead, keeps no
    /// order out.
    static let pin = RedisScript(
        #"""
        if orderTime(decoded(text(pin, 16384))) < tonumber(ARGV[2]) then
          redis.call('SET', pin, ARGV[3])
          look()
        end
        return {'done'}
        """#)

    /// `ARGV`: channel, SHA-256.
    static let reportDamage = RedisScript(
        #"""
        local found = pointer()
        if found and found.sha256 == ARGV[2] then redis.call('SET', damaged, ARGV[2]) end
        redis.pcall('PUBLISH', channel, '{"damaged":"' .. ARGV[2] .. '"}')
        return {'done'}
        """#)
}
