internal import FileSystem
internal import Logging
internal import Products

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
