internal import FileSystem
internal import Products

/// Lists, finds and pins the generations of a directory. Blocks its thread on the disk.
struct GenerationHistory: Sendable {
    let directory: GenerationDirectory

    /// The wait for the lock, in attempts of a millisecond.
    private static let attempts = 3_000

    /// Lists the generations whose header is good, newest first. Only the headers are read.
    func entries() throws(ProductsFailure) -> [HistoryEntry] {
        try list().compactMap { name in
            guard let header = GenerationFile.peekHeader(directory.peek(name)),
                let moment = Timestamp(text: header.fetchedAt),
                let status = try? Files.status(of: directory.path(of: name))
            else { return nil }
            return HistoryEntry(
                generation: name.number, revision: String(header.sha256.prefix(32)), fetchedAt: moment.date,
                origin: header.source, count: header.count, size: status.size)
        }
    }

    /// Reads a generation.
    /// - Parameter known: given back in place of a new catalogue when the file holds the same bytes.
    /// - Throws: `ProductsFailure.notStored` when there is no such generation, and `storeFailed` when it cannot be read.
    func snapshot(
        of target: HistoryTarget, known: Catalogue?
    ) throws(ProductsFailure) -> (name: GenerationName, snapshot: ProductsSnapshot) {
        var failure = ProductsFailure.notStored
        for name in try list() where matches(name, target) {
            do throws(GenerationFault) {
                return (name, try directory.read(name, known: known))
            } catch {
                if case .unreadable(let error) = error, error.isNotFound { continue }
                failure = .storeFailed(detail: "\(directory.path(of: name)): \(error)")
                // Another one may have the same products, but not the same number.
                if case .generation = target { break }
            }
        }
        throw failure
    }

    /// Pins a generation that can be read.
    /// - Returns: the pin as it is on the disk, and the snapshot of its generation.
    func pin(
        _ target: HistoryTarget, by order: OperatorOrder, known: Catalogue?
    ) throws(ProductsFailure) -> (pin: CataloguePin, snapshot: ProductsSnapshot) {
        // Before the lock, which would make its file in an empty directory.
        guard try !list().isEmpty else { throw .notStored }
        return try locked {
            _ = try pinBefore()
            let (name, snapshot) = try snapshot(of: target, known: known)
            let order = OperatorOrder(at: Timestamp(order.at).date, by: order.by, reason: order.reason)
            let pin = CataloguePin(generation: name.number, revision: snapshot.revision, order: order)
            try directory.putPin(pin)
            return (pin, snapshot)
        }
    }

    /// Takes the pin off.
    /// - Returns: the pin before; nil without one.
    func unpin() throws(ProductsFailure) -> CataloguePin? {
        if case .none = directory.readPin() { return nil }
        return try locked {
            let pin = try pinBefore()
            try directory.removePin()
            return pin
        }
    }

    /// Returns the pin that is about to be replaced.
    /// - Throws: `ProductsFailure.storeFailed` where its file is not ours to change.
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

    private func locked<Value>(_ body: () throws -> Value) throws(ProductsFailure) -> Value {
        do {
            return try directory.locked(attempts: Self.attempts, body)
        } catch let failure as ProductsFailure {
            throw failure
        } catch {
            throw .storeFailed(detail: "\(error)")
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
