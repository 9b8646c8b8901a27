import FileSystem
import Products

/// A directory of generations, as the files in it.
struct GenerationDirectory: Sendable {
    /// Where it is.
    let path: String

    /// What is in it at one moment.
    struct Listing {
        /// The generations, newest first.
        var generations: [GenerationName] = []
        /// What writers left that did not come to their end.
        var temporaries: [String] = []
        /// What was damaged and is a generation no longer.
        var movedAside: [String] = []
        /// The highest number that was ever given, as far as can be told.
        var highestNumber = 0
    }

    func path(of generation: GenerationName) -> String { "\(path)/\(generation.fileName)" }

    /// What is in the directory; nothing when it is not there.
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

    /// What has the name of a generation and is a pipe, a device or a socket is none: to read it could take for ever.
    private func isFile(_ generation: GenerationName) -> Bool {
        (try? Files.status(of: path(of: generation)))?.mayWait != true
    }

    /// The snapshot in a generation.
    func read(
        _ generation: GenerationName, known: Catalogue?
    ) throws(GenerationFault) -> ProductsSnapshot {
        try GenerationFile.decode(try bytes(of: generation), known: known)
    }

    /// All that is in a generation's file.
    func bytes(of generation: GenerationName) throws(GenerationFault) -> [UInt8] {
        do throws(FileSystemError) {
            return try Files.read(path(of: generation))
        } catch {
            throw .unreadable(error)
        }
    }

    /// Writes a snapshot as a generation, in the place of one of that name. To be called with the lock held.
    func put(_ snapshot: ProductsSnapshot, as generation: GenerationName) throws {
        let header = GenerationHeader(snapshot, generation: generation.number)
        try Files.replace(
            path(of: generation), with: GenerationFile.encode(snapshot, header),
            temporary: "\(path)/\(generation.temporaryFileName)")
    }

    /// The first bytes of a generation, which hold its header; none when they cannot be read.
    func peek(_ generation: GenerationName) -> [UInt8] {
        (try? Files.read(path(of: generation), prefix: GenerationFile.peekLength)) ?? []
    }

    /// Renames a generation so that it is one no longer, if it is still damaged once nobody else can be writing it.
    ///
    /// A load waits for this, so it waits for the lock no longer than a writer that is not stuck needs; else the file
    /// stays.
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

    /// Runs the body while no other process or task changes the directory, which must be there.
    func locked<Result>(attempts: Int = FileLock.usualAttempts, _ body: () throws -> Result) throws -> Result {
        try FileLock.holding("\(path)/.lock", attempts: attempts, body)
    }
}

/// Why a generation cannot be loaded.
enum GenerationFault: Error {
    /// The system does not give it out.
    case unreadable(FileSystemError)
    /// A newer version of the service wrote it.
    case newerFormat(Int)
    /// It is not what was written.
    case damaged(String)
}

extension GenerationFault: CustomStringConvertible {
    var description: String {
        switch self {
        case .unreadable(let error): "\(error)"
        case .newerFormat(let format):
            "written in format \(format), newer than \(GenerationHeader.currentFormat), the newest known"
        case .damaged(let detail): "damaged: \(detail)"
        }
    }
}
