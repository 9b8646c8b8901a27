/// The beginning of each script: its keys, the time, and the functions that read what the storage has.
///
/// They read as ``UntrustedStorage`` does: a value of another type, of another form or too long counts as absent. What
/// one side reads and the other does not would stay for ever.
enum RedisPrelude {
    static let text = #"""
        local current, pin, epoch, attempt, accepted, lease, history, damaged, blobs, blob = unpack(KEYS)
        local channel = ARGV[1]
        local clock = redis.call('TIME')
        local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
        local highest = 9999999999999
        local latest = 9000000000000
        local horizon = 86400000
        local fields = {'generation', 'revision', 'epoch', 'startedAt', 'checkedAt', 'count', 'bytes', 'sha256',
          'encoding', 'writer', 'source', 'accepted'}

        local function is(key, kind)
          return redis.call('TYPE', key).ok == kind
        end
        local function own(key, kind)
          if not is(key, kind) and not is(key, 'none') then redis.call('DEL', key) end
        end
        local function digits(number)
          return string.format('%.0f', math.min(number, highest))
        end
        local function number(text)
          if text and #text <= 13 and text:find('^%d+$') then return tonumber(text) end
        end
        local function hex(text, length)
          return type(text) == 'string' and #text == length and not text:find('[^0-9a-f]')
        end
        local function text(key, length)
          local found = is(key, 'string') and redis.call('GETRANGE', key, 0, length)
          return found and #found > 0 and #found <= length and found
        end
        local function decoded(json)
          local isRight, value = pcall(cjson.decode, json or '')
          return isRight and type(value) == 'table' and value or {}
        end
        local function whole(value)
          return type(value) == 'number' and value >= 0 and value <= highest and value % 1 == 0 and value
        end
        local function timeOf(startedAt)
          return startedAt <= now + horizon and startedAt or 0
        end
        local function parsed(values)
          local found = {values = values}
          for index, name in ipairs(fields) do found[name] = values[index] end
          for _, name in ipairs({'generation', 'epoch', 'startedAt', 'checkedAt', 'count', 'bytes'}) do
            found[name] = number(found[name])
            if not found[name] then return end
          end
          if not found.source or #found.source > 200 then found.source = '' end
          found.accepted = found.accepted == '1'
          if hex(found.revision, 32) and hex(found.sha256, 64) and found.encoding == 'gzip' and found.writer
            and #found.writer <= 128 and found.generation > 0 and found.startedAt > 0 and found.bytes > 0
            and found.startedAt <= latest and found.generation < latest
          then
            found.time = timeOf(found.startedAt)
            return found
          end
        end
        local function pointer()
          return is(current, 'hash') and parsed(redis.call('HMGET', current, unpack(fields))) or nil
        end
        local function pointerOf(json)
          if type(json) ~= 'table' then return end
          local values = {}
          for index, name in ipairs(fields) do
            local value = json[name]
            if type(value) == 'number' then value = whole(value) and digits(value) end
            if value == true then value = '1' end
            values[index] = type(value) == 'string' and value
          end
          return parsed(values)
        end
        local function orderTime(record)
          local version, named = whole(record.version), record.pointer
          local isRight = version and version <= timeOf(version) and version <= latest and type(record.by) == 'string'
            and (named == nil or named == cjson.null or pointerOf(named))
          return isRight and version or 0
        end
        local function attempts()
          return is(attempt, 'hash') and redis.call('HMGET', attempt, 'failures', 'notBefore', 'refused') or {}
        end
        local function contents(found)
          return {found and found.values or {}, text(pin, 16384), text(epoch, 13), attempts(), text(accepted, 32),
            digits(now)}
        end
        local function holds(key, length)
          return is(key, 'string') and redis.call('STRLEN', key) == length and text(damaged, 64) ~= key:sub(-64)
        end
        local function announce()
          local found = pointer()
          local listeners = redis.pcall('PUBSUB', 'NUMSUB', channel)[2] or 0
          found.values, found.time = nil, nil
          redis.pcall('PUBLISH', channel, cjson.encode({pointer = found, listeners = listeners}))
        end
        local function look()
          redis.pcall('PUBLISH', channel, '{"look":true}')
        end

        """#
}
