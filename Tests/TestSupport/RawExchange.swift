internal import Glibc

/// Everything that comes over a connection for what was sent on it, byte for byte, so that nothing can come unnoticed.
public struct RawExchange: Sendable {
    /// Status line and header lines of the first answer.
    public let head: String
    /// All that comes after the head until the server ends the connection.
    public let rest: [UInt8]

    /// Sends a text on a connection of its own and reads until the server ends that; nil when it does not within 20
    /// seconds, or there is no server.
    public static func of(_ text: String, port: Int) async -> RawExchange? {
        guard let all = await BackgroundThread.run({ received(for: text, port: port) }) else { return nil }
        return RawExchange(all)
    }

    private init(_ all: [UInt8]) {
        let end = all.firstRange(of: Array("\r\n\r\n".utf8))
        head = String(decoding: all[..<(end?.lowerBound ?? all.endIndex)], as: UTF8.self)
        rest = Array(all[(end?.upperBound ?? all.endIndex)...])
    }

    /// The status code; 0 when there is none.
    public var status: Int { head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }

    /// The value of the only field of a name; nil when there is none or several.
    public subscript(name: String) -> String? {
        let prefix = "\(name.lowercased()): "
        let lines = head.split(separator: "\r\n").filter { $0.lowercased().hasPrefix(prefix) }
        return lines.count == 1 ? String(lines[0].dropFirst(prefix.count)) : nil
    }

    private static func received(for text: String, port: Int) -> [UInt8]? {
        guard let socket = LoopbackSocket.connected(to: port) else { return nil }
        defer { close(socket) }
        let bytes = Array(text.utf8)
        guard unsafe send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return nil }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe recv(socket, &buffer, buffer.count, 0)
            if count == 0 { return all }
            guard count > 0 else { return nil }
            all += buffer[..<count]
        }
    }
}
