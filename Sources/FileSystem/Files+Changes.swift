import Glibc

extension Files {
    /// Writes a file that must not exist yet and forces its bytes to disk. When that fails, nothing is left of it.
    public static func create(_ path: String, _ bytes: [UInt8]) throws(FileSystemError) {
        let file = try FileDescriptor(opening: path, flags: O_WRONLY | O_CREAT | O_EXCL)
        do throws(FileSystemError) {
            try file.write(bytes)
            try file.synchronize()
        } catch {
            try? remove(path)
            throw error
        }
    }

    /// Gives a file another name on the same disk, replacing what bears it, in one step that is seen whole or not at
    /// all. It outlasts a power cut only once the directory is synchronized too.
    public static func rename(_ path: String, to newPath: String) throws(FileSystemError) {
        _ = try SystemCall.retrying(.rename, path) { unsafe Glibc.rename(path, newPath) }
    }

    /// Forces the names in a directory to disk.
    public static func synchronizeDirectory(_ directory: String) throws(FileSystemError) {
        try FileDescriptor(opening: directory, flags: O_RDONLY | O_DIRECTORY).synchronize()
    }

    /// Puts bytes in a file's place so that, whatever happens on the way, the file has either its old or its new
    /// content, and the new one is on disk when this returns.
    ///
    /// The bytes first go to a file beside it whose name is the temporary one, which must be nobody else's.
    public static func replace(
        _ path: String, with bytes: [UInt8], temporary: String
    ) throws(FileSystemError) {
        try create(temporary, bytes)
        do throws(FileSystemError) {
            try rename(temporary, to: path)
        } catch {
            try? remove(temporary)
            throw error
        }
        try synchronizeDirectory(parent(of: path))
    }

    /// Removes a file; none being there is no error.
    public static func remove(_ path: String) throws(FileSystemError) {
        do throws(FileSystemError) {
            _ = try SystemCall.retrying(.remove, path) { unsafe unlink(path) }
        } catch  where error.isNotFound {
            return
        }
    }

    /// Makes a directory and those around it, as far as they are missing.
    ///
    /// - Parameter isPrivate: whether what is in the directory is nobody else's business. Those around it are not
    ///   private.
    public static func createDirectories(_ path: String, isPrivate: Bool = false) throws(FileSystemError) {
        do throws(FileSystemError) {
            try createDirectory(path, isPrivate: isPrivate)
        } catch  where error.isNotFound && parent(of: path) != path {
            try createDirectories(parent(of: path))
            try createDirectory(path, isPrivate: isPrivate)
        }
    }

    /// Makes a directory in one that is there; being there already is no error.
    private static func createDirectory(_ path: String, isPrivate: Bool) throws(FileSystemError) {
        do throws(FileSystemError) {
            _ = try SystemCall.retrying(.createDirectory, path) { unsafe mkdir(path, isPrivate ? 0o700 : 0o755) }
        } catch {
            guard let found = try? status(of: path) else { throw error }
            guard found.isDirectory else { throw FileSystemError(.createDirectory, path: path, code: ENOTDIR) }
        }
    }
}
