import Glibc

extension FileSystemError {
    /// Whether there is nothing at the path.
    public var isNotFound: Bool { code == ENOENT }

    /// Whether something is there, and it must not be.
    public var isAlreadyThere: Bool { code == EEXIST }

    /// Whether there is no room left, on the disk or in the quota.
    public var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }

    /// Whether the process has as many files open as it may have.
    public var isOutOfDescriptors: Bool { code == EMFILE }

    /// Whether writing is not allowed: by permission, or because all of the disk is read-only.
    public var isNotPermitted: Bool { code == EACCES || code == EPERM || code == EROFS }
}
