package import Concurrency
internal import FileSystem
internal import FoundationEssentials
internal import HTTPServer
internal import Hashing
package import Health
package import Logging
internal import struct Synchronization.Atomic

/// The API keys in force, from a file that may be replaced at any time. Shared by loops.
///
/// While the file cannot be read or has a fault, the last good keys stay in force, and readiness and log say so.
package final class APIKeyRing: TroubleReporting {
    private struct State {
        /// nil until the file is read again.
        var bytes: [UInt8]?
        var holders: [SHA256Digest: KeyHolder] = [:]
        var names = Names()
    }

    /// The names that keys have had, each with its number.
    private struct Names {
        private(set) var all: [String] = []
        private var numbers: [String: UInt32] = [:]

        mutating func number(of name: String) -> UInt32 {
            if let number = numbers[name] { return number }
            let number = UInt32(all.count)
            numbers[name] = number
            all.append(name)
            return number
        }
    }

    private static let pause = Duration.seconds(1)
    private static let longestFile = 4 << 20
    private static let lines = TroubleBook.Lines(
        begin: "the file of API keys cannot be used, and the last good keys stay", end: "the file of API keys is in use"
    )

    package let path: String
    /// The trouble of the file, which outlives a reload unless that names another file.
    private let book: TroubleBook
    private let wallClock: WallClock
    private let state: Mutex<State>
    private let disk = BlockingQueue("larder keys")
    /// Incremented by each change of the keys.
    let generation = Atomic<Int>(0)

    /// - Parameters:
    ///   - list: the keys that the file had when the config was read.
    ///   - previous: the keys before a reload, whose names keep their numbers.
    package init(
        _ list: APIKeyList, path: String, wallClock: WallClock, logger: Logger, replacing previous: APIKeyRing? = nil
    ) {
        (self.path, self.wallClock) = (path, wallClock)
        book = previous.flatMap { $0.path == path ? $0.book : nil } ?? TroubleBook(wallClock: wallClock, logger: logger)
        state = Mutex(State(names: previous?.state.withLock(\.names) ?? Names()))
        adopt(list, bytes: nil)
    }

    package var troubles: [Trouble] { book.troubles }

    /// Reads the file again each second, until it is cancelled. A file with other content takes effect at once.
    package func watch(_ clock: any Clock<Duration>) async throws {
        while true {
            await reread()
            try await clock.sleep(for: Self.pause)
        }
    }

    /// Reads the file again.
    package func reread() async {
        let outcome = await firstOutcome { [path, disk] in
            await disk.run {
                Result { () throws(FileSystemError) in try Files.read(path, limit: Self.longestFile) }
            }
        }
        guard let result = outcome else { return }
        let trouble: String?
        switch result.mapError({ $0 as any Error }).flatMap(adopt) {
        case .success: trouble = nil
        case .failure(let error): trouble = "\(path): \(error)"
        }
        book.record(.keys, trouble, lines: Self.lines)
    }

    /// Puts the keys of a file into force, unless it is the last one.
    private func adopt(_ bytes: [UInt8]) -> Result<Void, any Error> {
        if state.withLock({ $0.bytes == bytes }) { return .success(()) }
        return Result {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw APIKeyList.Fault(line: 1, reason: "the file is not UTF-8 text")
            }
            adopt(try APIKeyList(parsing: text), bytes: bytes)
        }
    }

    private func adopt(_ list: APIKeyList, bytes: [UInt8]?) {
        var names = state.withLock(\.names)
        let holders = list.keys.map { key in
            (key.digest, KeyHolder(number: names.number(of: key.name), end: key.end, scopes: key.scopes.bits))
        }
        let next = State(bytes: bytes, holders: Dictionary(uniqueKeysWithValues: holders), names: names)
        state.withLock { $0 = next }
        generation.wrappingAdd(1, ordering: .releasing)
    }

    /// The holder of a key; nil for one that is not in the file.
    func holder(of key: [UInt8]) -> KeyHolder? {
        let digest = SHA256Digest(of: key)
        return state.withLock { $0.holders[digest] }
    }

    /// The name of a request's key, for the log.
    package func name(of number: UInt32) -> String {
        state.withLock { $0.names.all[Int(number)] }
    }

    func isOver(_ key: KeyHolder) -> Bool {
        key.end.map { Double($0) <= wallClock.now().timeIntervalSince1970 } ?? false
    }
}
