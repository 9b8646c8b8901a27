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
