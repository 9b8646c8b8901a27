internal import Concurrency
internal import FileSystem

/// The name of a generation's file: `generation-0000000007.json`.
struct GenerationName: Sendable, Hashable, Comparable {
    /// Higher is newer.
    let number: Int
    /// The name as listed, with any number of zeros.
    let fileName: String

    private static let prefix = "generation-"
    private static let confirmationPrefix = "confirmed-"
    private static let suffix = ".json"
    private static let corruptSuffix = ".json.corrupt"

    init(number: Int) {
        self.number = number
        fileName = Self.prefix + number.padded(to: 10) + Self.suffix
    }

    /// Parses a file's name; nil if it is not a generation's.
    init?(fileName: String) {
        guard let number = Self.number(in: fileName, suffix: Self.suffix) else { return nil }
        self.number = number
        self.fileName = fileName
    }

    /// The name of the damaged file after it is moved aside.
    var corruptFileName: String { fileName + ".corrupt" }

    /// The name of the file with the last confirmation of its products.
    var confirmationFileName: String { Self.confirmationPrefix + fileName.dropFirst(Self.prefix.count) }

    /// The name of the generation that a file confirms; nil for any other file.
    static func confirmed(by fileName: String) -> String? {
        fileName.hasPrefix(confirmationPrefix) ? prefix + fileName.dropFirst(confirmationPrefix.count) : nil
    }

    /// A temporary name to write this generation under; only for the holder of the directory's lock.
    var temporaryFileName: String { ".\(fileName).\(UInt64.random(in: 0...UInt64.max)).tmp" }

    /// The number of a damaged generation that was moved aside; nil for any other file.
    static func corruptNumber(_ fileName: String) -> Int? {
        number(in: fileName, suffix: corruptSuffix)
    }

    /// Whether an interrupted writer left the file.
    static func isTemporary(_ fileName: String) -> Bool {
        fileName.hasPrefix(".\(prefix)") && fileName.hasSuffix(".tmp")
    }

    static func < (left: GenerationName, right: GenerationName) -> Bool {
        (left.number, left.fileName) < (right.number, right.fileName)
    }

    /// At most 18 digits, so that there is a next number.
    private static func number(in fileName: String, suffix: String) -> Int? {
        guard fileName.hasPrefix(prefix), fileName.hasSuffix(suffix) else { return nil }
        let digits = fileName.dropFirst(prefix.count).dropLast(suffix.count)
        guard (1...18).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(digits)
    }
}

/// Counts generations without waiting for a disk that hangs.
///
/// One listing of the directory runs at a time, on a thread of its own, and concurrent calls share it. Calls wait for
/// it up to `timeout`; after that, later calls return nil at once until the listing ends.
final class GenerationCounter: Sendable {
    private typealias Listing = Task<Int?, Never>

    private struct State {
        var listing: Listing?
        /// Whether a call gave up on the listing.
        var isLate = false
    }

    private let timeout: Duration
    private let clock: any Clock<Duration>
    private let list: @Sendable () throws(FileSystemError) -> Int
    private let disk = BlockingQueue("larder store count")
    private let state = Mutex(State())

    /// - Parameter list: counts; blocks its thread as long as the disk takes.
    init(
        timeout: Duration = .seconds(1), clock: any Clock<Duration> = ContinuousClock(),
        list: @escaping @Sendable () throws(FileSystemError) -> Int
    ) {
        self.timeout = timeout
        self.clock = clock
        self.list = list
    }

    /// Counts; nil if the disk does not respond in time.
    func count() async -> Int? {
        guard let listing = state.withLock({ state in state.isLate ? nil : currentListing(&state) }) else { return nil }
        if let count = await firstOutcome(within: timeout, clock: clock, of: { await listing.value }) { return count }
        if !Task.isCancelled { state.withLock { $0.isLate = $0.listing == listing } }
        return nil
    }

    private func currentListing(_ state: inout State) -> Listing {
        if let running = state.listing { return running }
        let new = Listing { [self] in
            let count = try? await disk.run(list)
            self.state.withLock { $0 = State() }
            return count
        }
        state.listing = new
        return new
    }
}
