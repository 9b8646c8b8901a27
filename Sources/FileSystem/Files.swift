internal import Glibc

/// File operations for durable storage. All of them wait for the disk, so they must not run on an event loop.
package enum Files {
    /// Reads a whole file.
    /// - Parameter limit: the most bytes; the length is checked before reading.
    package static func read(_ path: String, limit: Int = .max) throws(FileSystemError) -> [UInt8] {
        try FileDescriptor(opening: path, flags: O_RDONLY).readToEnd(limit: limit)
    }

    package static func read(_ path: String, prefix: Int) throws(FileSystemError) -> [UInt8] {
        try FileDescriptor(opening: path, flags: O_RDONLY).readPrefix(prefix)
    }

    /// Whether a file has exactly the bytes of these parts, one after the other. They are read from the disk if the
    /// system drops its cached copy.
    package static func holds(_ path: String, parts: [[UInt8]]) throws(FileSystemError) -> Bool {
        let file = try FileDescriptor(opening: path, flags: O_RDONLY)
        _ = posix_fadvise(file.number, 0, 0, POSIX_FADV_DONTNEED)
        var (chunk, rest) = ([UInt8](repeating: 0, count: 1 << 18), parts.map { $0[...] }[...])
        while true {
            let count = try file.read(into: &chunk)
            if count == 0 { return rest.allSatisfy(\.isEmpty) }
            var read = chunk[..<count]
            while !read.isEmpty {
                guard let part = rest.first else { return false }
                let count = min(part.count, read.count)
                guard areSame(part.prefix(count), read.prefix(count)) else { return false }
                read = read.dropFirst(count)
                rest[rest.startIndex] = part.dropFirst(count)
                if count == part.count { rest.removeFirst() }
            }
        }
    }

    /// Whether slices of one length have the same bytes.
    private static func areSame(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
        unsafe one.withUnsafeBytes { one in
            unsafe other.withUnsafeBytes { other in
                guard let one = one.baseAddress, let start = other.baseAddress else { return true }
                return unsafe memcmp(one, start, other.count) == 0
            }
        }
    }

    package static func exists(_ path: String) -> Bool {
        (try? status(of: path)) != nil
    }

    /// Size, time and identity of what is at the path.
    package static func status(of path: String) throws(FileSystemError) -> FileStatus {
        var found = stat()
        _ = try SystemCall.retrying(.status, path) { unsafe stat(path, &found) }
        return FileStatus(found)
    }

    /// The names in a directory, sorted, without `.` and `..`.
    package static func list(_ directory: String) throws(FileSystemError) -> [String] {
        guard let stream = unsafe opendir(directory) else {
            throw FileSystemError(.list, path: directory, code: errno)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw FileSystemError(.list, path: directory, code: errno) }
        return names.sorted()
    }

    /// The process's limit of open files, connections included; nil if unknown.
    package static var mostOpen: Double? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return limit.rlim_cur == rlim_t.max ? .infinity : Double(limit.rlim_cur)
    }

    /// Raises the limit of open files to the system's maximum.
    package static func raiseMostOpen() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        unsafe setrlimit(resource, &limit)
    }

    /// The directory that a path is in: `.` for a bare name.
    package static func parent(of path: String) -> String {
        var trimmed = path[...]
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        guard let slash = trimmed.lastIndex(of: "/") else { return "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }
}

extension Files {
    /// Writes a file that must not exist yet and forces its bytes to disk. On failure nothing is left of it.
    package static func create(_ path: String, _ bytes: [UInt8], mode: UInt32 = 0o644) throws(FileSystemError) {
        try create(path, parts: [bytes], mode: mode)
    }

    /// Writes a file, as above, of several parts, so that large ones need not be joined.
    package static func create(_ path: String, parts: [[UInt8]], mode: UInt32 = 0o644) throws(FileSystemError) {
        let file = try FileDescriptor(opening: path, flags: O_WRONLY | O_CREAT | O_EXCL, mode: mode)
        do throws(FileSystemError) {
            for part in parts {
                var written = 0
                try file.write(part, from: &written)
            }
            try file.synchronize()
        } catch {
            try? remove(path)
            throw error
        }
    }

    /// Renames a file on the same disk in one atomic step, replacing a file of that name. The rename survives a power
    /// cut only after the directory is synchronized.
    package static func rename(_ path: String, to newPath: String) throws(FileSystemError) {
        _ = try SystemCall.retrying(.rename, path) { unsafe Glibc.rename(path, newPath) }
    }

    /// Forces the names in a directory to disk.
    package static func synchronizeDirectory(_ directory: String) throws(FileSystemError) {
        try FileDescriptor(opening: directory, flags: O_RDONLY | O_DIRECTORY).synchronize()
    }

    /// Replaces a file's content atomically; the new content is on disk when this returns.
    ///
    /// - Parameter temporary: an unused path on the same disk for the new content.
    package static func replace(
        _ path: String, with bytes: [UInt8], temporary: String, mode: UInt32 = 0o644
    ) throws(FileSystemError) {
        try create(temporary, bytes, mode: mode)
        do throws(FileSystemError) {
            try rename(temporary, to: path)
        } catch {
            try? remove(temporary)
            throw error
        }
        try synchronizeDirectory(parent(of: path))
    }

    package static func remove(_ path: String) throws(FileSystemError) {
        do throws(FileSystemError) {
            _ = try SystemCall.retrying(.remove, path) { unsafe unlink(path) }
        } catch  where error.isNotFound {
            return
        }
    }

    /// Returns the reason why no file can be made in a directory, which need not exist; nil if one can. Changes
    /// nothing.
    package static func obstacle(toFilesIn directory: String) -> FileSystemError? {
        do throws(FileSystemError) {
            guard try status(of: directory).isDirectory else {
                return FileSystemError(.createDirectory, path: directory, code: ENOTDIR)
            }
            _ = try SystemCall.retrying(.write, directory) {
                unsafe faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS)
            }
            return nil
        } catch {
            guard error.isNotFound, parent(of: directory) != directory else { return error }
            return obstacle(toFilesIn: parent(of: directory))
        }
    }

    /// Makes a directory and its missing parents.
    ///
    /// - Parameter isPrivate: whether only the owner may enter the directory; its parents are not private.
    package static func createDirectories(_ path: String, isPrivate: Bool = false) throws(FileSystemError) {
        do throws(FileSystemError) {
            try createDirectory(path, isPrivate: isPrivate)
        } catch  where error.isNotFound && parent(of: path) != path {
            try createDirectories(parent(of: path))
            try createDirectory(path, isPrivate: isPrivate)
        }
    }

    /// Makes a directory in an existing one, unless it exists.
    private static func createDirectory(_ path: String, isPrivate: Bool) throws(FileSystemError) {
        do throws(FileSystemError) {
            _ = try SystemCall.retrying(.createDirectory, path) { unsafe mkdir(path, isPrivate ? 0o700 : 0o755) }
        } catch {
            guard let found = try? status(of: path) else { throw error }
            guard found.isDirectory else { throw FileSystemError(.createDirectory, path: path, code: ENOTDIR) }
        }
    }
}
