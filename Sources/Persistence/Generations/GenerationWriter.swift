internal import Concurrency
internal import FileSystem
internal import FoundationEssentials
internal import Health
internal import Logging
internal import Products

/// Adds generations to a directory, and removes those beyond its retention.
struct GenerationWriter: Sendable {
    let directory: GenerationDirectory
    let retention: Retention
    let wallClock: WallClock
    let logger: Logger
    let troubles: StoreTroubles
    /// Reads the pin in force.
    let pin: @Sendable () -> PinReading
    /// The newest generation as it was when its file was last written or read whole.
    let seen: @Sendable () -> GenerationIdentity?

    /// The time after which a confirmation writes the whole file again, which heals it if the disk has damaged it.
    private static let wholeInterval = 3600.0

    /// Writes a snapshot as the newest generation, and returns its name.
    ///
    /// If the newest generation already contains the catalogue, it keeps its number, so that many confirmations of one
    /// catalogue do not push older ones out. Then only a file beside it is written, once an hour the whole again.
    func write(_ snapshot: ProductsSnapshot) throws -> GenerationName {
        try Files.createDirectories(directory.path)
        return try directory.locked {
            let listing = try directory.list()
            for name in listing.temporaries { try? Files.remove("\(directory.path)/\(name)") }
            let generation = generation(for: snapshot.catalogue, in: listing)
            if let format = wholeFormat(of: generation, for: snapshot) {
                try directory.confirm(snapshot, as: generation, format: format)
            } else {
                try put(snapshot, as: generation, above: listing.generations)
            }
            thin([generation] + listing.generations.filter { $0 != generation })
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

    /// The format of a generation whose file is as this process has seen it and was written within the last hour, not after the
    /// snapshot: then a confirmation is enough. Nil for any other.
    private func wholeFormat(of generation: GenerationName, for snapshot: ProductsSnapshot) -> Int? {
        guard let seen = seen(), seen.isOf(GenerationIdentity(generation, in: directory)),
            let header = GenerationFile.peekHeader(directory.peek(generation)), let times = header.times
        else { return nil }
        let age = snapshot.checkedAt.timeIntervalSince(times.checkedAt)
        guard age > 0, age < Self.wholeInterval, snapshot.fetchedAt >= times.fetchedAt else { return nil }
        return header.format
    }

    /// Writes a generation. If the disk is full, removes another generation once to make space, but not for a mere
    /// confirmation. See ``Retention/dispensable(of:)``.
    private func put(_ snapshot: ProductsSnapshot, as generation: GenerationName, above older: [GenerationName]) throws
    {
        do {
            try directory.put(snapshot, as: generation)
        } catch let error as FileSystemError where error.isOutOfSpace && !older.contains(generation) {
            guard let leaving = Retention.dispensable(of: candidates(older)) else { throw error }
            logger.warning(
                "the disk is full, removing an older generation to make space",
                metadata: ["error": "\(error)", "generation": "\(leaving.name.number)"])
            try directory.remove(leaving.name)
            try directory.put(snapshot, as: generation)
        }
    }

    /// Removes the generations beyond the retention. A failure is only logged: the save is done.
    private func thin(_ generations: [GenerationName]) {
        var failure: FileSystemError?
        for surplus in retention.surplus(of: candidates(generations), at: wallClock.now()) {
            do throws(FileSystemError) { try directory.remove(surplus.name) } catch { failure = error }
        }
        troubles.report(.surplus, cause: failure.map { "\($0)" }, failure.map { ["error": "\($0)"] } ?? [:])
    }

    private func holds(_ name: GenerationName, _ revision: String) -> Bool {
        GenerationFile.peekHeader(directory.peek(name))?.sha256.hasPrefix(revision) == true
    }

    /// Describes generations, newest first. Those of a newer version are fixed, and so is the pinned one or, if it is
    /// gone, its substitute: one with the same products, or else the next older. While the pin is unknown, all are
    /// fixed.
    private func candidates(_ generations: [GenerationName]) -> [Retention.Candidate] {
        let isPinned: (GenerationName) -> Bool
        switch pin() {
        case .none, .damaged: isPinned = { _ in false }
        case .unknown: isPinned = { _ in true }
        case .pinned(let pin):
            let pinned =
                generations.first { $0.number == pin.generation } ?? generations.first { holds($0, pin.revision) }
                ?? generations.first { $0.number < pin.generation }
            isPinned = { $0 == pinned }
        }
        return generations.map { name in
            Retention.Candidate(
                name: name,
                time: directory.header(of: name)?.times?.checkedAt,
                size: (try? Files.status(of: directory.path(of: name)))?.size ?? 0,
                isPinned: isPinned(name), isForeign: GenerationFile.isNewer(directory.peek(name)))
        }
    }
}
