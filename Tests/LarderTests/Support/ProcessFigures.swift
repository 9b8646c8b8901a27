import FileSystem

/// What another process takes of the system at a moment.
struct ProcessFigures: Sendable {
    /// Resident, in KiB.
    let memory: Int
    let threads: Int
    let descriptors: Int
    private let caught: UInt64
    private let pending: UInt64

    init(of pid: Int32) throws {
        let status = String(decoding: try Files.read("/proc/\(pid)/status"), as: UTF8.self)
        let lines = status.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
        func number(_ name: String) -> Int {
            lines.first { $0.first == "\(name):" }.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0
        }
        func signals(_ name: String) -> UInt64 {
            lines.first { $0.first == "\(name):" }.flatMap { UInt64($0[1], radix: 16) } ?? 0
        }
        caught = signals("SigCgt")
        pending = signals("ShdPnd")
        memory = number("VmRSS")
        threads = number("Threads")
        descriptors = try Files.list("/proc/\(pid)/fd").count
    }

    /// Whether the signal has been sent and not been looked at.
    func isPending(_ signal: Int32) -> Bool { pending & 1 << (signal - 1) != 0 }

    /// Whether it has a handler for the signal.
    func isCatching(_ signal: Int32) -> Bool { caught & 1 << (signal - 1) != 0 }
}
