internal import Glibc

/// Who may do what with a file.
public enum FilePermissions {
    /// The permissions of what is at the path, such as `0o600`; nil when nothing is.
    public static func of(_ path: String) -> UInt32? {
        var found = stat()
        guard unsafe stat(path, &found) == 0 else { return nil }
        return found.st_mode & 0o777
    }
}
