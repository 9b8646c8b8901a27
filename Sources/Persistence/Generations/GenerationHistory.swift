internal import FileSystem
internal import Products

/// Lists, finds and pins the generations of a directory. Blocks its thread on the disk.
struct GenerationHistory: Sendable {
    let directory: GenerationDirectory
    /// Reads the generation to pin, since it will be served; nil for a history that pins nothing.
    var reader: GenerationReader?

    /// The attempts at the lock, a millisecond each.
    private static let attempts = 3_000

    /// Lists the generations whose header is good, newest first. Only the headers are read.
    func entries() throws(ProductsFailure) -> [HistoryEntry] {
        try list().compactMap { name in
            guard let header = directory.header(of: name),
                let moment = Timestamp(text: header.fetchedAt),
                let status = try? Files.status(of: directory.path(of: name))
            else { return nil }
            return HistoryEntry(
                generation: name.number, revision: String(header.sha256.prefix(32)), fetchedAt: moment.date,
                origin: header.source, count: header.count, size: status.size)
        }
    }

    /// Reads a generation and checks its products, since nothing checks them afterwards.
    /// - Parameter known: returned in place of a new catalogue if the file has the same bytes.
    /// - Throws: `ProductsFailure.notStored` if there is no such generation, and `storeFailed` if it cannot be read.
    func snapshot(
        of target: HistoryTarget, known: Catalogue?
    ) throws(ProductsFailure) -> (name: GenerationName, snapshot: ProductsSnapshot) {
        try snapshot(of: target) { name throws(GenerationFault) in try seen(name, known: known) }
    }

    private func seen(_ name: GenerationName, known: Catalogue?) throws(GenerationFault) -> ProductsSnapshot {
        let snapshot = try directory.read(name, known: known)
        guard snapshot.catalogue.isUnseen else { return snapshot }
        let isCanonical: Bool
        do { isCanonical = try snapshot.catalogue.check() } catch { throw .damaged("\(error)") }
        guard isCanonical else { return try directory.read(name, known: nil, isTrusted: false) }
        snapshot.catalogue.settle(isDamaged: false)
        return snapshot
    }

    private func snapshot(
        of target: HistoryTarget, by read: (GenerationName) throws(GenerationFault) -> ProductsSnapshot
    ) throws(ProductsFailure) -> (name: GenerationName, snapshot: ProductsSnapshot) {
        var failure = ProductsFailure.notStored
        for name in try list() where matches(name, target) {
            do throws(GenerationFault) {
                return (name, try read(name))
            } catch {
                if case .unreadable(let error) = error, error.isNotFound { continue }
                failure = .storeFailed(detail: "\(directory.path(of: name)): \(error)")
                // Another generation may have the same products, but not the same number.
                if case .generation = target { break }
            }
        }
        throw failure
    }

    /// Pins a generation that can be read.
    /// - Returns: the pin, the snapshot of its generation, and the failure to write the pin; nil if it was written.
    func pin(
        _ target: HistoryTarget, by order: OperatorOrder, known: Catalogue?
    ) throws(ProductsFailure) -> (pin: CataloguePin, snapshot: ProductsSnapshot, unwritten: ProductsFailure?) {
        // Before the lock, which would create its file in an empty directory.
        guard try !list().isEmpty else { throw .notStored }
        let (found, failure) = try writing { () throws(ProductsFailure) -> (CataloguePin, ProductsSnapshot) in
            _ = try pinBefore()
            let (name, snapshot) = try snapshot(of: target) { name throws(GenerationFault) in
                guard let reader else { return try directory.read(name, known: known) }
                return try reader.read(name, known: known)
            }
            let order = OperatorOrder(at: Timestamp(order.at).date, by: order.by, reason: order.reason)
            return (CataloguePin(generation: name.number, revision: snapshot.revision, order: order), snapshot)
        } write: { found in
            try directory.putPin(found.0)
        }
        let pin = CataloguePin(
            generation: found.0.generation, revision: found.0.revision, order: found.0.order, isWritten: failure == nil)
        return (pin, found.1, failure)
    }

    /// Removes the pin.
    /// - Returns: the previous pin, nil without one, and the failure to write its removal.
    func unpin() throws(ProductsFailure) -> (pin: CataloguePin?, unwritten: ProductsFailure?) {
        if case .none = directory.readPin() { return (nil, nil) }
        return try writing { () throws(ProductsFailure) -> CataloguePin? in
            try pinBefore()
        } write: { _ in
            try directory.removePin()
        }
    }

    /// Runs a look-up that may change the directory, under the directory's lock.
    /// - Returns: the result, and the reason why nothing could be changed, as on a full or read-only disk.
    private func writing<Found>(
        _ find: () throws(ProductsFailure) -> Found, write: (Found) throws -> Void
    ) throws(ProductsFailure) -> (Found, ProductsFailure?) {
        do {
            return try directory.locked(attempts: Self.attempts) {
                let found = try find()
                do { try write(found) } catch { return (found, .storeFailed(detail: "\(error)")) }
                return (found, nil)
            }
        } catch let failure as ProductsFailure {
            throw failure
        } catch {
            return (try find(), .storeFailed(detail: "\(error)"))
        }
    }

    /// The pin that is about to be replaced.
    /// - Throws: `ProductsFailure.storeFailed` if its file must not be changed.
    private func pinBefore() throws(ProductsFailure) -> CataloguePin? {
        switch directory.readPin() {
        case .none, .damaged: return nil
        case .pinned(let pin): return pin
        case .unknown(let detail): throw .storeFailed(detail: detail)
        }
    }

    private func matches(_ name: GenerationName, _ target: HistoryTarget) -> Bool {
        switch target {
        case .newest: return true
        case .generation(let number): return name.number == number
        case .revision(let start):
            guard !start.isEmpty, let header = GenerationFile.peekHeader(directory.peek(name)) else { return false }
            return header.sha256.hasPrefix(start.lowercased())
        }
    }

    private func list() throws(ProductsFailure) -> [GenerationName] {
        do throws(FileSystemError) {
            return try directory.list().generations
        } catch {
            throw .storeFailed(detail: "\(error)")
        }
    }
}
