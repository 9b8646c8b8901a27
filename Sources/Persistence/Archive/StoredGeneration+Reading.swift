import FileSystem

extension StoredGeneration {
    /// What became of reading a generation whole; nil when it has vanished, as when it was pruned meanwhile.
    init?(_ generation: GenerationName, in directory: GenerationDirectory) {
        let bytes: [UInt8]
        let fault: GenerationFault?
        do throws(GenerationFault) {
            bytes = try directory.bytes(of: generation)
            fault = Self.fault(in: bytes)
        } catch {
            if case .unreadable(let error) = error, error.isNotFound { return nil }
            (bytes, fault) = ([], error)
        }
        self.init(
            number: generation.number, path: directory.path(of: generation), size: bytes.count,
            statement: Statement(Array(bytes.prefix(GenerationFile.peekLength))), condition: Condition(fault),
            fault: fault.map { "\($0)" })
    }

    private static func fault(in bytes: [UInt8]) -> GenerationFault? {
        do throws(GenerationFault) {
            _ = try GenerationFile.decode(bytes, known: nil)
            return nil
        } catch {
            return error
        }
    }
}

extension StoredGeneration.Condition {
    fileprivate init(_ fault: GenerationFault?) {
        self =
            switch fault {
            case nil: .good
            case .damaged: .damaged
            case .newerFormat: .newerFormat
            case .unreadable: .unreadable
            }
    }
}

extension StoredGeneration.Statement {
    /// The header in the first bytes of a file.
    fileprivate init?(_ start: [UInt8]) {
        guard let header = GenerationFile.peekHeader(start), let fetchedAt = Timestamp(text: header.fetchedAt) else {
            return nil
        }
        self.init(
            fetchedAt: fetchedAt.date, source: header.source, products: header.count, sha256: header.sha256)
    }
}
