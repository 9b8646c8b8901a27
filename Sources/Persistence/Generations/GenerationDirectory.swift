internal import FileSystem
internal import Logging
internal import Products

/// Reads and writes the files of a store's directory.
struct GenerationDirectory: Sendable {
    let path: String

    /// The files at one moment.
    struct Listing {
        /// Newest first.
        var generations: [GenerationName] = []
        /// Left by writers that were interrupted.
        var temporaries: [String] = []
        var movedAside: [String] = []
        /// The highest number of a generation, also of those moved aside.
        var highestNumber = 0
    }

    func path(of generation: GenerationName) -> String { "\(path)/\(generation.fileName)" }

    /// Lists the directory; empty when it does not exist.
    func list() throws(FileSystemError) -> Listing {
        let names: [String]
        do throws(FileSystemError) {
            names = try Files.list(path)
        } catch  where error.isNotFound {
            return Listing()
        }
        var listing = Listing()
        listing.generations = names.compactMap(GenerationName.init(fileName:)).filter(isFile).sorted(by: >)
        listing.temporaries = names.filter(GenerationName.isTemporary)
        listing.movedAside = names.filter { GenerationName.corruptNumber($0) != nil }
        let corrupt = listing.movedAside.compactMap(GenerationName.corruptNumber)
        listing.highestNumber = max(listing.generations.first?.number ?? 0, corrupt.max() ?? 0)
        return listing
    }

    /// Excludes pipes, devices and sockets, whose reading might never end.
    private func isFile(_ generation: GenerationName) -> Bool {
        (try? Files.status(of: path(of: generation)))?.mayWait != true
    }

    /// - Parameter known: given back in place of a new catalogue when the file holds the same bytes.
    func read(_ generation: GenerationName, known: Catalogue?) throws(GenerationFault) -> ProductsSnapshot {
        try GenerationFile.decode(try bytes(of: generation), known: known)
    }

    func bytes(of generation: GenerationName) throws(GenerationFault) -> [UInt8] {
        do throws(FileSystemError) {
            return try Files.read(path(of: generation))
        } catch {
            throw .unreadable(error)
        }
    }

    /// Writes a snapshot as a generation, replacing one of that name. Call it with the lock held.
    func put(_ snapshot: ProductsSnapshot, as generation: GenerationName) throws {
        let header = GenerationHeader(snapshot, generation: generation.number)
        try Files.replace(
            path(of: generation), with: GenerationFile.encode(snapshot, header),
            temporary: "\(path)/\(generation.temporaryFileName)")
    }

    /// Reads the first bytes of a generation, which hold its header; empty when they cannot be read.
    func peek(_ generation: GenerationName) -> [UInt8] {
        (try? Files.read(path(of: generation), prefix: GenerationFile.peekLength)) ?? []
    }

    /// Renames a generation if it is still damaged while no writer can be at work on it.
    ///
    /// Loads wait for this, so it gives up on a lock that is held longer than a healthy writer needs.
    /// - Returns: whether it was renamed.
    func moveAside(_ generation: GenerationName) throws -> Bool {
        try locked(attempts: 50) {
            do throws(GenerationFault) {
                _ = try read(generation, known: nil)
                return false
            } catch {
                guard case .damaged = error else { return false }
            }
            try Files.rename(path(of: generation), to: "\(path)/\(generation.corruptFileName)")
            return true
        }
    }

    /// Runs the body while no other process or task changes the directory, which must exist.
    func locked<Result>(attempts: Int = FileLock.usualAttempts, _ body: () throws -> Result) throws -> Result {
        try FileLock.holding("\(path)/.lock", attempts: attempts, body)
    }
}

/// Adds generations to a directory.
struct GenerationWriter: Sendable {
    let directory: GenerationDirectory
    let keep: Int
    let logger: Logger

    /// Writes a snapshot as the newest generation, and returns which that is.
    ///
    /// A catalogue that the newest generation already holds is written under that number again, so that many
    /// confirmations of one catalogue do not push older ones out.
    func write(_ snapshot: ProductsSnapshot) throws -> GenerationName {
        try Files.createDirectories(directory.path)
        return try directory.locked {
            let listing = try directory.list()
            for name in listing.temporaries { try? Files.remove("\(directory.path)/\(name)") }
            let generation = generation(for: snapshot.catalogue, in: listing)
            try directory.put(snapshot, as: generation)
            prune(listing.generations.filter { $0 != generation })
            return generation
        }
    }

    private func generation(for catalogue: Catalogue, in listing: GenerationDirectory.Listing) -> GenerationName {
        if let newest = listing.generations.first,
            GenerationFile.peekHeader(directory.peek(newest))?.sha256 == catalogue.digest
        {
            return newest
        }
        return GenerationName(number: listing.highestNumber + 1)
    }

    /// Removes generations beyond `keep`, except those of a newer version. A failure is only logged: the save is done.
    private func prune(_ older: [GenerationName]) {
        for generation in older.dropFirst(keep - 1) where !GenerationFile.isNewer(directory.peek(generation)) {
            do throws(FileSystemError) {
                try Files.remove(directory.path(of: generation))
            } catch {
                logger.warning("an old generation stays", metadata: ["error": "\(error)"])
            }
        }
    }
}

/// Why a generation cannot be loaded.
enum GenerationFault: Error, CustomStringConvertible {
    case unreadable(FileSystemError)
    /// Written by a newer version of the service.
    case newerFormat(Int)
    /// The bytes are not those that were written.
    case damaged(String)

    var description: String {
        switch self {
        case .unreadable(let error): "\(error)"
        case .newerFormat(let format):
            "written in format \(format), newer than \(GenerationHeader.currentFormat), the newest known"
        case .damaged(let detail): "damaged: \(detail)"
        }
    }
}
