import Glibc

extension FileStatus {
    init(_ found: stat) {
        self.init(
            size: Int(found.st_size),
            modifiedAt: Int64(found.st_mtim.tv_sec) * 1_000_000_000 + Int64(found.st_mtim.tv_nsec),
            inode: UInt64(found.st_ino),
            isDirectory: found.st_mode & S_IFMT == S_IFDIR,
            mayWait: ![S_IFREG, S_IFDIR].contains(found.st_mode & S_IFMT))
    }
}
