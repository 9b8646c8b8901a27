import Dispatch
import Glibc
import TestSupport

/// A pipe that a process writes to, and that nobody reads before a test wants it.
final class UnreadPipe: Sendable {
    /// What to open for writing.
    let path: String
    private let descriptor: Int32
    private let content = Observed<[UInt8]?>(nil)

    struct Failure: Error {
        let code: Int32
    }

    init(in directory: TemporaryDirectory) throws {
        path = directory("pipe")
        guard unsafe mkfifo(path, 0o600) == 0 else { throw Failure(code: errno) }
        descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// From now on reads all that comes.
    func startReading() {
        _ = fcntl(descriptor, F_SETFL, 0)
        DispatchQueue(label: "pipe").async { [self] in
            let all = readToEnd()
            content.update { $0 = all }
        }
    }

    /// All that was written, when whoever wrote has ended.
    func end() async -> [UInt8] {
        await content.wait { $0 != nil }
        return content.value ?? []
    }

    private func readToEnd() -> [UInt8] {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return all }
            all += chunk.prefix(count)
        }
    }
}
