/// What is in the directory of a store at one moment.
public struct ArchiveContents: Sendable {
    /// The generations, newest first.
    public let generations: [StoredGeneration]
    /// The names of the files that a store moved aside because they were damaged.
    public let movedAside: [String]
}
