internal import FileSystem
package import FoundationEssentials
package import Products

/// One generation of a store, as found on the disk.
package struct StoredGeneration: Sendable {
    /// Whether a store can use a generation.
    package enum Condition: Sendable, Hashable {
        /// The generation can be loaded.
        case good
        /// The bytes differ from those written; a store moves the file aside.
        case damaged
        /// A newer version of the service wrote it; a store leaves it alone.
        case newerFormat
        /// The system refuses to read it.
        case unreadable
    }

    /// The header of a generation whose seal is valid.
    package struct Statement: Sendable, Hashable {
        /// When the source confirmed the products.
        package let fetchedAt: Date
        package let source: ProductsOrigin
        package let products: Int
        /// The SHA-256 of the array's bytes.
        package let sha256: String

        fileprivate init?(_ header: GenerationHeader) {
            guard let moment = Timestamp(text: header.fetchedAt) else { return nil }
            (fetchedAt, source, products, sha256) = (moment.date, header.source, header.count, header.sha256)
        }
    }

    /// The number; the highest is the newest.
    package let number: Int
    package let path: String
    /// The size of the file in bytes; 0 if it cannot be read.
    package let size: Int
    /// The header; nil if it cannot be read or its seal is invalid.
    package let statement: Statement?
    package let condition: Condition
    /// The reason why it is unusable; nil if it is good.
    package let fault: String?

    /// Reads a whole generation; nil if it has vanished, for example by pruning.
    init?(_ generation: GenerationName, in directory: GenerationDirectory) {
        var (bytes, fault): ([UInt8], GenerationFault?) = ([], nil)
        do throws(GenerationFault) {
            bytes = try directory.bytes(of: generation)
            _ = try GenerationFile.decode(bytes, known: nil, isTrusted: false)
        } catch {
            fault = error
        }
        switch fault {
        case .unreadable(let error) where error.isNotFound: return nil
        case nil: condition = .good
        case .damaged: condition = .damaged
        case .newerFormat: condition = .newerFormat
        case .unreadable: condition = .unreadable
        }
        number = generation.number
        path = directory.path(of: generation)
        size = bytes.count
        statement = directory.header(of: generation).flatMap(Statement.init)
        self.fault = fault.map { "\($0)" }
    }
}

/// The files of a store's directory at one moment.
package struct ArchiveContents: Sendable {
    /// The generations, newest first.
    package let generations: [StoredGeneration]
    /// The names of damaged files that a store moved aside.
    package let movedAside: [String]
    /// The pin in force; nil without one.
    package let pin: CataloguePin?
}
