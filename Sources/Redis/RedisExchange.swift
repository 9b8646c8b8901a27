internal import Concurrency

/// Commands sent together, and the task that waits for their replies. Loop thread.
final class RedisExchange: @unchecked Sendable {
    private let expected: Int
    private var replies: [RedisValue] = []
    private var continuation: CheckedContinuation<Void, Never>?
    /// Locked, since the waiting task reads it.
    private let settled = Mutex<Result<[RedisValue], RedisError>?>(nil)

    init(replies expected: Int) {
        self.expected = expected
    }

    /// nil while replies are missing.
    var outcome: Result<[RedisValue], RedisError>? { settled.withLock { $0 } }

    /// The text of the last reply so far, if it is a refusal.
    var refusal: String? {
        if case .error(let text) = replies.last { text } else { nil }
    }

    /// - Returns: whether the commands have to be sent.
    func begin(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        guard outcome == nil else {
            continuation.resume()
            return false
        }
        self.continuation = continuation
        return true
    }

    /// - Returns: whether it was the last reply.
    func accept(_ reply: RedisValue) -> Bool {
        replies.append(reply)
        guard replies.count == expected else { return false }
        settle(.success(replies))
        return true
    }

    /// Resumes the waiting task with the first outcome; later ones are dropped.
    func settle(_ outcome: Result<[RedisValue], RedisError>) {
        settled.withLock { $0 = $0 ?? outcome }
        continuation?.resume()
        continuation = nil
    }
}

/// The exchanges with missing replies, in order.
struct RedisQueue {
    private var exchanges: [RedisExchange] = []
    private var first = 0

    /// The text of the last reply so far, if it is a refusal and others are missing.
    var refusal: String? { first < exchanges.count ? exchanges[first].refusal : nil }

    mutating func append(_ exchange: RedisExchange) {
        exchanges.append(exchange)
    }

    /// - Returns: false if no reply was expected.
    mutating func accept(_ reply: RedisValue) -> Bool {
        guard first < exchanges.count else { return false }
        guard exchanges[first].accept(reply) else { return true }
        first += 1
        if first == exchanges.count || first > 1024 {
            exchanges.removeFirst(first)
            first = 0
        }
        return true
    }

    mutating func settleAll(_ outcome: Result<[RedisValue], RedisError>) {
        let left = exchanges[first...]
        (exchanges, first) = ([], 0)
        for exchange in left { exchange.settle(outcome) }
    }
}

/// Assembles replies from their parts, which come in wire order.
struct RedisReplyAssembly {
    private var open: [(left: Int, items: [RedisValue])] = []

    /// - Returns: the reply that this part completes.
    mutating func begin(count: Int) -> RedisValue? {
        guard count > 0 else { return add(.array([])) }
        open.append((count, []))
        return nil
    }

    /// - Returns: the reply that this part completes.
    mutating func add(_ part: RedisValue) -> RedisValue? {
        var part = part
        while var array = open.popLast() {
            array.items.append(part)
            array.left -= 1
            guard array.left == 0 else {
                open.append(array)
                return nil
            }
            part = .array(array.items)
        }
        return part
    }
}

extension RedisValue {
    /// Whether a replica refused to write; in Redis 6.2, the error of a script has a prefix.
    var isReadOnly: Bool {
        if case .error(let text) = self { text.contains("READONLY") } else { false }
    }

    /// The payload of a message of a subscribed channel; nil for any other reply.
    var messagePayload: [UInt8]? {
        guard case .array(let items) = self, items.count == 3, items[0].text == "message",
            case .bytes(let payload) = items[2]
        else { return nil }
        return payload
    }
}
