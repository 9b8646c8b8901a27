import FileSystem
public import FoundationEssentials
public import Products

/// One generation of a store, as it was found.
public struct StoredGeneration: Sendable {
    /// Whether it can be used.
    public enum Condition: Sendable, Hashable {
        /// A store loads it.
        case good
        /// It is not what was written; a store steps over it and moves it aside.
        case damaged
        /// A newer version of the service wrote it; a store steps over it and leaves it alone.
        case newerFormat
        /// The system does not give it out.
        case unreadable
    }

    /// What it says of itself, which can be believed: the seal fits.
    public struct Statement: Sendable, Hashable {
        /// When the source confirmed the products.
        public let fetchedAt: Date
        /// Where the products came from: `store` for those of an older generation that was gone back to.
        public let source: ProductsOrigin
        /// How many products there are.
        public let products: Int
        /// The SHA-256 of the bytes of the array of products.
        public let sha256: String
    }

    /// Its number; the highest is the newest.
    public let number: Int
    /// The file.
    public let path: String
    /// How long the file is, in bytes; 0 when it cannot be read.
    public let size: Int
    /// What it says of itself; nil where that cannot be told.
    public let statement: Statement?
    /// Whether it can be used.
    public let condition: Condition
    /// Why it cannot be used, in words; nil when it can.
    public let fault: String?
}

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

/// What is in the directory of a store at one moment.
public struct ArchiveContents: Sendable {
    /// The generations, newest first.
    public let generations: [StoredGeneration]
    /// The names of the files that a store moved aside because they were damaged.
    public let movedAside: [String]
}
