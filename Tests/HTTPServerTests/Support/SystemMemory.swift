import Glibc

/// What this process holds in memory.
enum ResidentMemory {
    /// The address sanitizer keeps what was freed for a while, so what it holds says nothing.
    static var isMeaningful: Bool { unsafe getenv("ASAN_OPTIONS") == nil }

    /// 0 when the system does not say.
    static var bytes: Int {
        guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
        defer { unsafe fclose(file) }
        var text = [CChar](repeating: 0, count: 128)
        guard unsafe fgets(&text, Int32(text.count), file) != nil else { return 0 }
        let pages = String(decoding: text.map(UInt8.init(bitPattern:)), as: UTF8.self).split(separator: " ")
        return (pages.dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }
}

/// What the kernel holds of answers that clients have not taken yet.
enum SendQueue {
    /// The bytes of all connections that were accepted on an IPv4 port.
    static func bytes(ofPort port: UInt16) -> Int {
        guard let file = unsafe fopen("/proc/self/net/tcp", "r") else { return 0 }
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 512)
        var sum = 0
        while unsafe fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            sum += bytes(text.split(separator: " "), ofPort: port)
        }
        return sum
    }

    /// Of a line such as `0: 0100007F:1F90 0100007F:C350 01 00000A00:00000000 …`: where the state is "established".
    private static func bytes(_ words: [Substring], ofPort port: UInt16) -> Int {
        guard words.count > 4, words[3] == "01",
            words[1].split(separator: ":").last.flatMap({ UInt16($0, radix: 16) }) == port
        else { return 0 }
        return words[4].split(separator: ":").first.flatMap { Int($0, radix: 16) } ?? 0
    }
}
