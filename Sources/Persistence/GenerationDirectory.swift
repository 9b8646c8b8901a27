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
        listing.generations = names.compactMap(GenerationName.init(fileName:)).sorted(by: >)
        listing.temporaries = names.filter(GenerationName.isTemporary)
        let corrupt = names.compactMap(GenerationName.corruptNumber)
        listing.highestNumber = max(listing.generations.first?.number ?? 0, corrupt.max() ?? 0)
        return listing
    }

    /// The snapshot in a generation.
    func read(
        _ generation: GenerationName, known: Catalogue?
    ) throws(GenerationFault) -> ProductsSnapshot {
        let bytes: [UInt8]
        do throws(FileSystemError) {
            bytes = try Files.read(path(of: generation))
        } catch {
            throw .unreadable(error)
        }
        return try GenerationFile.decode(bytes, known: known)
    }

    /// The first bytes of a generation, which hold its header; none when they cannot be read.
    func peek(_ generation: GenerationName) -> [UInt8] {
        (try? Files.read(path(of: generation), prefix: GenerationFile.peekLength)) ?? []
    }

    /// Renames a generation so that it is one no longer, if it is still damaged once nobody else can be writing it.
    /// - Returns: whether it was renamed.
    func moveAside(_ generation: GenerationName) throws -> Bool {
        try locked {
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
    func locked<Result>(_ body: () throws -> Result) throws -> Result {
        try FileLock.holding("\(path)/.lock", body)
    }
}
