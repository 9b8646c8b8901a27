/// What tells one state of a file from another without reading it.
public struct FileStatus: Sendable, Hashable {
    /// Its length in bytes.
    public let size: Int
    /// When its content last changed, in nanoseconds since 1970.
    public let modifiedAt: Int64
    /// Its number on its device; a file that replaced another has a different one.
    public let inode: UInt64
    /// Whether it is a directory.
    public let isDirectory: Bool
    /// Whether it is neither a file nor a directory, such as a pipe, from which a reader may wait for ever.
    public let mayWait: Bool
}
