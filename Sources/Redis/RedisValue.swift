internal import Text

/// A reply of a Redis server, in the terms of RESP2.
package indirect enum RedisValue: Sendable, Hashable {
    case status(String)
    /// The command was refused; the text begins with a code in capital letters, such as `NOPERM` or `OOM`.
    case error(String)
    case integer(Int)
    case bytes([UInt8])
    case array([RedisValue])
    case null
}

extension RedisValue {
    /// The text of a string or a status; nil for anything else, and for bytes that are not UTF-8.
    package var text: String? {
        switch self {
        case .status(let text): text
        case .bytes(let bytes): String(validating: bytes, as: UTF8.self)
        case .error, .integer, .array, .null: nil
        }
    }

    /// The number of an integer, or of a string that contains one.
    package var number: Int? {
        if case .integer(let number) = self { number } else { text.flatMap { Int($0) } }
    }

    package var items: [RedisValue]? {
        if case .array(let items) = self { items } else { nil }
    }
}

/// The reason why a command has no reply.
package enum RedisError: Error, Sendable, Hashable {
    /// No connection, or it was lost before the reply came. The command may have been executed.
    case disconnected(String)
    /// No reply came in time. The command may be executed later.
    case timedOut
    /// The server refused the command; carries its text.
    case refused(String)
}

extension RedisError {
    /// The text of a refusal for logs: a single line, shortened, and without the arguments of an unknown command, such
    /// as the password of a renamed `AUTH`.
    static func words(_ text: String) -> String {
        let beginning = text.firstRange(of: ", with args beginning with").map { text[..<$0.lowerBound] } ?? text[...]
        let line = beginning.unicodeScalars.prefix(500).filter { !$0.isSteering }
        return String(String.UnicodeScalarView(line))
    }

    /// The reason in words, for logs.
    package var reason: String {
        switch self {
        case .disconnected(let reason): reason
        case .timedOut: "the server did not respond in time"
        case .refused(let text): text
        }
    }
}

/// A connection to a Redis server, as its users see it.
package protocol RedisCommanding: Sendable {
    /// For one consumer.
    var events: AsyncStream<RedisEvent> { get }
    /// Keeps the connection until it is cancelled.
    func run() async
    /// Sends commands one after another; each has one reply, which may be an error.
    func send(_ commands: [[[UInt8]]], within limit: Duration) async throws(RedisError) -> [RedisValue]
}
