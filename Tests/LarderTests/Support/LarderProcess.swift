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

    private struct State {
        var exit: Exit?
        var waiters: [CheckedContinuation<Exit, Never>] = []
    }

    let pid: pid_t
    private let outputPath: String
    private let errorPath: String
    /// The process is reaped under this lock, so that its number is never another's when it is signalled.
    private let state = Mutex(State())

    /// Starts `larder` in a directory, which is also where its outputs go.
    ///
    /// - Parameter output: where its standard output goes instead.
    init(
        _ arguments: [String], environment: [String: String] = [:], in directory: TemporaryDirectory,
        output: String? = nil
    ) throws {
        let name = "\(UInt64.random(in: 0...UInt64.max))"
        outputPath = output ?? directory("\(name).out")
        errorPath = directory("\(name).err")
        pid = try Spawn.start(
            try Self.executable(), arguments,
            environment: environment.merging(Self.sanitizing) { $1 }.map { "\($0)=\($1)" },
            directory: directory.path, output: outputPath, error: errorPath)
        DispatchQueue(label: "larder \(pid)").async { [self] in reap() }
    }

    /// Runs a command to its end.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], in directory: TemporaryDirectory
    ) async throws -> (status: Int32?, output: [UInt8], error: String) {
        let process = try LarderProcess(arguments, environment: environment, in: directory)
        let exit = await process.exit()
        return (exit.status, process.output, process.error)
    }

    var output: [UInt8] { (try? Files.read(outputPath)) ?? [] }

    var error: String { String(decoding: (try? Files.read(errorPath)) ?? [], as: UTF8.self) }

    /// The lines of its log so far.
    var log: [JSONObject] {
        output.split(separator: UInt8(ascii: "\n")).compactMap { try? JSONParser().parse(Array($0)).object }
    }

    var isRunning: Bool { state.withLock { $0.exit == nil } }

    /// Waits for its end.
    func exit() async -> Exit {
        await withCheckedContinuation { continuation in
            let exit = state.withLock { state in
                if state.exit == nil { state.waiters.append(continuation) }
                return state.exit
            }
            if let exit { continuation.resume(returning: exit) }
        }
    }

    /// Sends a signal, unless it has ended.
    func signal(_ signal: Int32) {
        state.withLock { state in
            if state.exit == nil { kill(pid, signal) }
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

    /// How often the log has a line with this message.
    func count(of message: String) -> Int { log.count { $0["message"]?.string == message } }

    struct Ended: Error {
        let error: String
    }

    private func reap() {
        var info = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        let (exit, waiters) = state.withLock { state in
            var status: Int32 = 0
            _ = unsafe waitpid(pid, &status, 0)
            let signal = status & 0x7f
            let exit = signal == 0 ? Exit(status: status >> 8 & 0xff, signal: nil) : Exit(status: nil, signal: signal)
            state.exit = exit
            defer { state.waiters = [] }
            return (exit, state.waiters)
        }
        for waiter in waiters { waiter.resume(returning: exit) }
    }

    /// What sanitizers are told holds for the processes too; nothing else of the environment does.
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
