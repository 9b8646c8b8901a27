import Concurrency
import Dispatch
import FileSystem
import FoundationEssentials
import Glibc
import JSON
import TestSupport
import Testing

/// A `larder` that a test has started. It does not outlive the test.
final class LarderProcess: Sendable {
    struct Exit: Sendable, Equatable {
        /// The exit status; `nil` when a signal ended it.
        let status: Int32?
        let signal: Int32?
    }

    let pid: pid_t
    private let outputPath: String
    private let errorPath: String
    /// Changes with the reaping of the process, so that a signal never meets another process of that number.
    private let ended = Observed<Exit?>(nil)

    /// Starts `larder` in a directory, which is also where its outputs go.
    ///
    /// - Parameters:
    ///   - input: the file that is its standard input.
    ///   - output: where its standard output goes instead.
    init(
        _ arguments: [String], environment: [String: String] = [:], in directory: TemporaryDirectory,
        input: String = "/dev/null", output: String? = nil
    ) throws {
        let name = "\(UInt64.random(in: 0...UInt64.max))"
        outputPath = output ?? directory("\(name).out")
        errorPath = directory("\(name).err")
        pid = try Spawn.start(
            try Self.executable(), arguments,
            environment: environment.merging(Self.sanitizing) { $1 }.map { "\($0)=\($1)" },
            directory: directory.path, input: input, output: outputPath, error: errorPath)
        DispatchQueue(label: "larder \(pid)").async { [self] in reap() }
    }

    /// Starts the practice upstream, and gives its port.
    static func upstream(in directory: TemporaryDirectory) async throws -> (process: LarderProcess, port: Int) {
        let process = try LarderProcess(["upstream", "--listen", "127.0.0.1:0"], in: directory)
        do {
            return (process, try await process.logged("practice upstream serving", "port"))
        } catch {
            process.signal(SIGKILL)
            throw error
        }
    }

    /// Runs a command to its end.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], in directory: TemporaryDirectory,
        input: String = "/dev/null"
    ) async throws -> (status: Int32?, output: [UInt8], error: String) {
        let process = try LarderProcess(arguments, environment: environment, in: directory, input: input)
        let exit = await process.exit()
        return (exit.status, process.output, process.error)
    }

    var output: [UInt8] { (try? Files.read(outputPath)) ?? [] }

    var error: String { String(decoding: (try? Files.read(errorPath)) ?? [], as: UTF8.self) }

    /// The lines of its log so far.
    var log: [JSONObject] {
        output.split(separator: UInt8(ascii: "\n")).compactMap { try? JSONParser().parse(Array($0)).object }
    }

    var isRunning: Bool { ended.value == nil }

    /// Waits for its end.
    func exit() async -> Exit {
        await ended.wait { $0 != nil }
        return ended.value ?? Exit(status: nil, signal: nil)
    }

    /// Sends a signal, unless it has ended.
    func signal(_ signal: Int32) {
        ended.update { [pid] exit in
            if exit == nil { kill(pid, signal) }
        }
    }

    /// A number in the first log line with this message; waits until that line is there.
    func logged(_ message: String, _ key: String) async throws -> Int {
        var found: Int?
        try await eventually {
            let line = log.first { $0["message"]?.string == message }
            found = line?[key].flatMap { $0.number?.integer ?? $0.string.flatMap { Int($0) } }
            guard found != nil || isRunning else { throw Ended(error: error) }
            return found != nil
        }
        guard let found else { throw Ended(error: error) }
        return found
    }

    /// Counts the log lines with this message.
    func count(of message: String) -> Int { log.count { $0["message"]?.string == message } }

    struct Ended: Error {
        let error: String
    }

    private func reap() {
        var info = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        ended.update { [pid] exit in
            var status: Int32 = 0
            _ = unsafe waitpid(pid, &status, 0)
            let signal = status & 0x7f
            exit = signal == 0 ? Exit(status: status >> 8 & 0xff, signal: nil) : Exit(status: nil, signal: signal)
        }
    }

    /// Options for sanitizers hold for the processes too; nothing else of the environment does.
    private static let sanitizing = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }

    /// Built next to the tests.
    private static func executable() throws -> String {
        let path =
            Files.parent(of: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) + "/larder"
        guard Files.exists(path) else { throw NotBuilt(path: path) }
        return path
    }

    struct NotBuilt: Error {
        let path: String
    }
}

/// The memory, threads and descriptors of another process at a moment.
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
