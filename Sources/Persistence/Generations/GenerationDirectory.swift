package import FileSystem
internal import Products

/// Reads and writes the files of a store's directory.
struct GenerationDirectory: Sendable {
    /// The size limit of a generation, unless a store's own limit is higher.
    private static let usualLimit = 1 << 30

    /// The size limit of a generation in a store with this limit of their total size.
    static func limit(within maxBytes: Int?) -> Int { max(usualLimit, maxBytes ?? 0) }

    let path: String
    /// The size limit of a generation: a longer file is neither read nor written.
    var limit = usualLimit
    var disk = StoreDisk.system

    /// The files at one moment.
    struct Listing {
        /// Newest first.
        var generations: [GenerationName] = []
        /// Left by writers that were interrupted, and confirmations of generations that are gone.
        var temporaries: [String] = []
        var movedAside: [String] = []
        /// The highest number of a generation, including those moved aside.
        var highestNumber = 0
    }

    func path(of generation: GenerationName) -> String { "\(path)/\(generation.fileName)" }

    /// Lists the directory; empty if it does not exist.
    func list() throws(FileSystemError) -> Listing {
        let names: [String]
        do throws(FileSystemError) {
            names = try Files.list(path)
        } catch  where error.isNotFound {
            return Listing()
        }
        var listing = Listing()
        listing.generations = names.compactMap(GenerationName.init(fileName:)).filter(isFile).sorted(by: >)
        listing.temporaries = names.filter { name in
            GenerationName.isTemporary(name) || PinFile.isTemporary(name)
                || GenerationName.confirmed(by: name).map { !names.contains($0) } == true
        }
        listing.movedAside = names.filter { GenerationName.corruptNumber($0) != nil }
        let corrupt = listing.movedAside.compactMap(GenerationName.corruptNumber)
        listing.highestNumber = max(listing.generations.first?.number ?? 0, corrupt.max() ?? 0)
        return listing
    }

    /// Excludes pipes, devices and sockets, whose reading might never end.
    private func isFile(_ generation: GenerationName) -> Bool {
        (try? Files.status(of: path(of: generation)))?.mayWait != true
    }

    /// - Parameters:
    ///   - known: returned in place of a new catalogue if the file has the same bytes.
    ///   - isTrusted: whether products with the right checksum are accepted without a check.
    func read(
        _ generation: GenerationName, known: Catalogue?, isTrusted: Bool = true
    ) throws(GenerationFault) -> ProductsSnapshot {
        let snapshot = try GenerationFile.decode(try bytes(of: generation), known: known, isTrusted: isTrusted)
        guard let confirmation = confirmation(of: generation), confirmation.sha256 == snapshot.catalogue.digest,
            let confirmed = confirmation.snapshot(of: snapshot.catalogue), confirmed.checkedAt > snapshot.checkedAt
        else { return snapshot }
        return confirmed
    }

    /// The header of a generation, of its last confirmation if there is one; nil if it is damaged or cannot be read.
    func header(of generation: GenerationName) -> GenerationHeader? {
        guard let header = GenerationFile.peekHeader(peek(generation)) else { return nil }
        guard let confirmation = confirmation(of: generation), confirmation.sha256 == header.sha256,
            let times = header.times, let confirmed = confirmation.times, confirmed.checkedAt > times.checkedAt
        else { return header }
        return confirmation
    }

    /// An earlier version does not remove the confirmations of generations that it writes again.
    private func confirmation(of generation: GenerationName) -> GenerationHeader? {
        let path = "\(path)/\(generation.confirmationFileName)"
        guard (try? Files.status(of: path))?.mayWait == false,
            let bytes = try? Files.read(path, prefix: GenerationFile.peekLength)
        else { return nil }
        return GenerationFile.header(bytes).flatMap { $0.generation == generation.number ? $0 : nil }
    }

    func bytes(of generation: GenerationName) throws(GenerationFault) -> [UInt8] {
        do throws(FileSystemError) {
            return try Files.read(path(of: generation), limit: limit)
        } catch {
            throw .unreadable(error)
        }
    }

    /// Writes a snapshot as a generation, replacing one of that name. Call it with the directory's lock.
    func put(_ snapshot: ProductsSnapshot, as generation: GenerationName) throws {
        let header = GenerationHeader(snapshot, generation: generation.number)
        try replace(
            generation.fileName, with: GenerationFile.encode(snapshot, header), temporary: generation.temporaryFileName,
            removing: generation.confirmationFileName)
    }

    /// Writes the times and the source of a snapshot beside a generation that has its products, instead of the products
    /// again. Call it with the directory's lock.
    /// - Parameter format: the format in the generation's header.
    func confirm(_ snapshot: ProductsSnapshot, as generation: GenerationName, format: Int) throws {
        let header = GenerationHeader(snapshot, generation: generation.number, format: format)
        try replace(
            generation.confirmationFileName, with: [GenerationFile.encode(header)],
            temporary: generation.temporaryFileName)
    }

    /// Removes a generation with its confirmation.
    func remove(_ generation: GenerationName) throws(FileSystemError) {
        try Files.remove("\(path)/\(generation.confirmationFileName)")
        try Files.remove(path(of: generation))
    }

    /// Replaces a file atomically with bytes that were forced to disk and read back. If it throws, the file is
    /// unchanged.
    /// - Parameter other: the name of a file that the new content makes obsolete; removed first.
    /// - Throws: `FileSystemError`, and `ReadBackDifference` if the disk has other bytes than were written.
    func replace(_ fileName: String, with parts: [[UInt8]], temporary: String, removing other: String? = nil) throws {
        let temporary = "\(path)/\(temporary)"
        guard parts.reduce(0, { $0 + $1.count }) <= limit else {
            throw FileSystemError.tooLarge(.write, path: temporary)
        }
        try disk.create(temporary, parts)
        do {
            guard try disk.holds(temporary, parts) else { throw ReadBackDifference(path: temporary) }
            if let other { try Files.remove("\(path)/\(other)") }
            try Files.rename(temporary, to: "\(path)/\(fileName)")
        } catch {
            try? Files.remove(temporary)
            throw error
        }
        try Files.synchronizeDirectory(path)
    }

    /// Reads the first bytes of a generation, which contain its header; empty if they cannot be read.
    func peek(_ generation: GenerationName) -> [UInt8] {
        (try? Files.read(path(of: generation), prefix: GenerationFile.peekLength)) ?? []
    }

    /// Renames a generation if it is still damaged under the lock.
    ///
    /// Loads wait for this, so it gives up if a lock is held longer than a healthy writer needs.
    /// - Returns: whether it was renamed.
    func moveAside(_ generation: GenerationName) throws -> Bool {
        try locked(attempts: 50) {
            do throws(GenerationFault) {
                _ = try read(generation, known: nil, isTrusted: false)
                return false
            } catch {
                guard case .damaged = error else { return false }
            }
            try Files.rename(path(of: generation), to: "\(path)/\(generation.corruptFileName)")
            try? Files.remove("\(path)/\(generation.confirmationFileName)")
            return true
        }
    }

    /// Runs the body under the lock of the directory, which must exist. It excludes other processes and tasks.
    func locked<Result>(attempts: Int = FileLock.usualAttempts, _ body: () throws -> Result) throws -> Result {
        try FileLock.holding("\(path)/.lock", attempts: attempts, body)
    }
}

/// Writes and compares the files of a store; tests replace it by disks that are full or lose bytes.
package struct StoreDisk: Sendable {
    /// Makes a file of these parts and forces it to disk.
    package var create: @Sendable (_ path: String, _ parts: [[UInt8]]) throws(FileSystemError) -> Void
    /// Whether a file has these bytes.
    var holds: @Sendable (_ path: String, _ parts: [[UInt8]]) throws(FileSystemError) -> Bool

    package static let system = StoreDisk(
        create: { path, parts throws(FileSystemError) in try Files.create(path, parts: parts) },
        holds: { path, parts throws(FileSystemError) in try Files.holds(path, parts: parts) })
}

/// The disk confirmed bytes that it does not have.
struct ReadBackDifference: Error, CustomStringConvertible {
    let path: String

    var description: String { "damaged: \(path) does not hold what was written to it" }
}

/// The reason why a generation cannot be loaded.
package enum GenerationFault: Error, CustomStringConvertible {
    case unreadable(FileSystemError)
    /// Written by a newer version of the service.
    case newerFormat(Int)
    /// The bytes differ from those written.
    case damaged(String)

    /// Whether the file no longer exists.
    var isGone: Bool { if case .unreadable(let error) = self { error.isNotFound } else { false } }
    var isDamage: Bool { if case .damaged = self { true } else { false } }

    package var description: String {
        switch self {
        case .unreadable(let error): "\(error)"
        case .newerFormat(let format):
            "written in format \(format), newer than \(GenerationHeader.currentFormat), the newest known"
        case .damaged(let detail): "damaged: \(detail)"
        }
    }
}
