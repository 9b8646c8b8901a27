internal import Concurrency
internal import FileSystem
internal import FoundationEssentials
internal import Hashing
internal import JSON
internal import Products

/// The file in a store's directory that names the pinned generation: one line of JSON with a checksum.
struct PinFile: Sendable, Hashable, Codable {
    static let name = "pin.json"
    static let corruptName = "pin.json.corrupt"
    private static let currentFormat = 1
    /// A longer file is not a pin.
    private static let greatestLength = 1 << 20

    private let format: Int
    private let generation: Int
    private let revision: String
    private let at: String
    private let by: String
    private let reason: String?
    /// A hash over all the members above, to detect damage to them.
    private var seal = ""

    init(_ pin: CataloguePin) throws {
        format = Self.currentFormat
        (generation, revision) = (pin.generation, pin.revision)
        at = Timestamp(pin.order.at).text
        (by, reason) = (pin.order.by, pin.order.reason)
        seal = try expectedSeal()
    }

    /// A temporary name to write the file under.
    static var temporaryName: String { ".\(name).\(UInt64.random(in: 0...UInt64.max)).tmp" }

    /// Whether an interrupted writer left the file.
    static func isTemporary(_ fileName: String) -> Bool {
        fileName.hasPrefix(".\(name).") && fileName.hasSuffix(".tmp")
    }

    func encoded() throws -> [UInt8] { try JSONByteEncoder.encode(self) + [UInt8(ascii: "\n")] }

    /// Reads the file at a path.
    static func read(_ path: String) -> PinReading {
        do throws(FileSystemError) {
            // Reading a pipe might never end.
            guard try !Files.status(of: path).mayWait else { return .unknown("\(path) is no file") }
            return decode(try Files.read(path, prefix: greatestLength))
        } catch {
            // If a file is in place of the directory, nothing was ever pinned.
            return error.isNotFound || error.isNotDirectory ? .none : .unknown("\(error)")
        }
    }

    private static func decode(_ bytes: [UInt8]) -> PinReading {
        do {
            let value = try JSONParser().parse(bytes)
            if let format = value.object?["format"]?.number?.integer, format > currentFormat {
                return .unknown("\(name) is written in format \(format), newer than \(currentFormat), the newest known")
            }
            let file = try JSONValueDecoder.decode(PinFile.self, from: value)
            guard try file.seal == file.expectedSeal(), let moment = Timestamp(text: file.at) else {
                return .damaged("the pin is not the one that was written")
            }
            let order = OperatorOrder(at: moment.date, by: file.by, reason: file.reason)
            return .pinned(CataloguePin(generation: file.generation, revision: file.revision, order: order))
        } catch {
            return .damaged("\(error)")
        }
    }

    private func expectedSeal() throws -> String {
        var unsealed = self
        unsealed.seal = ""
        return String(SHA256Digest(of: try JSONByteEncoder.encode(unsealed)).hexDigits.prefix(16))
    }
}

/// An order about the pin that could not be written, and is in force in this process alone.
///
/// It is kept outside the store, so that it survives a reload that makes another store of the directory.
package final class UnwrittenPin: Sendable {
    enum Order: Sendable, Hashable {
        case pin(CataloguePin)
        case unpin(at: Date)

        var time: Date {
            switch self {
            case .pin(let pin): pin.order.at
            case .unpin(let time): time
            }
        }
    }

    package let directory: String
    private let kept = Mutex<Order?>(nil)

    package init(directory: String) {
        self.directory = directory
    }

    var order: Order? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }
}

/// The pin of a directory according to its file.
enum PinReading: Sendable {
    case none
    case pinned(CataloguePin)
    /// The bytes differ from those written, and count as no pin.
    case damaged(String)
    /// The file cannot be read, or a newer version of the service wrote it.
    case unknown(String)
}

extension GenerationDirectory {
    private var pinPath: String { "\(path)/\(PinFile.name)" }

    func readPin() -> PinReading { PinFile.read(pinPath) }

    /// Pins a generation. Call it with the directory's lock.
    func putPin(_ pin: CataloguePin) throws {
        try replace(PinFile.name, with: [PinFile(pin).encoded()], temporary: PinFile.temporaryName)
    }

    /// Executes a pending order about the pin, unless a later one was written meanwhile, for example by `larder pin
    /// --offline`.
    /// - Returns: whether it is on disk.
    func write(_ order: UnwrittenPin.Order) throws -> Bool {
        try locked(attempts: 50) {
            if case .pinned(let later) = readPin(), later.order.at > order.time { return false }
            switch order {
            case .pin(let pin): try putPin(pin)
            case .unpin: try removePin()
            }
            return true
        }
    }

    /// Removes the pin. Call it with the directory's lock.
    func removePin() throws(FileSystemError) {
        try Files.remove(pinPath)
        try Files.synchronizeDirectory(path)
    }

    /// Renames the file of a pin if it is still damaged under the lock.
    /// - Returns: whether it was renamed.
    func movePinAside() throws -> Bool {
        try locked(attempts: 50) {
            guard case .damaged = readPin() else { return false }
            try Files.rename(pinPath, to: "\(path)/\(PinFile.corruptName)")
            return true
        }
    }
}
