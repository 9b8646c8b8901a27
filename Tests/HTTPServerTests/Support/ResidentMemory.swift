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
