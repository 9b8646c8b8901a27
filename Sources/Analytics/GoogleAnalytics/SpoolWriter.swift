internal import Concurrency
internal import FileSystem

/// Puts events into the files of a spool, one file after the other. Calls wait for the disk.
final class SpoolWriter: Sendable {
    private let directory: SpoolDirectory
    private let segmentSize: Int
    /// The file that events are added to.
    private let open = Mutex<ClaimedFile?>(nil)

    /// - Parameter segmentSize: from how many bytes on a file takes no more.
    init(directory: SpoolDirectory, segmentSize: Int) {
        self.directory = directory
        self.segmentSize = segmentSize
    }

    /// Adds events, as far as there is room.
    ///
    /// - Returns: how many could not be added, and why; no error when there is no room.
    func append(_ events: [GoogleAnalyticsEvent]) -> (lost: Int, error: FileSystemError?) {
        open.withLock { append(events, to: &$0) }
    }

    /// Adds nothing more to the file, so that others may have it.
    func letGo(of path: String) {
        open.withLock { if $0?.path == path { $0 = nil } }
    }

    /// Lets go of the file, whichever it is.
    func close() {
        open.withLock { $0 = nil }
    }

    private func append(
        _ events: [GoogleAnalyticsEvent], to open: inout ClaimedFile?
    ) -> (lost: Int, error: FileSystemError?) {
        var left = events[...]
        do throws(FileSystemError) {
            while !left.isEmpty {
                guard let (file, size) = try segment(&open) else { return (left.count, nil) }
                var lines: [UInt8] = []
                var rest = left
                while size + lines.count < segmentSize, let event = rest.popFirst() { lines += event.line }
                try file.append(lines)
                left = rest
            }
            return (0, nil)
        } catch {
            abandon(&open)
            return (left.count, error)
        }
    }

    /// Leaves a file that cannot be written. One that holds nothing goes: a disk that stays full would else get one
    /// with each try, until it can name no more.
    private func abandon(_ open: inout ClaimedFile?) {
        if let file = open, (try? file.size()) == 0 { try? file.remove() }
        open = nil
    }

    /// The file to add to, and how long it is; nil when there is no room for another.
    private func segment(_ open: inout ClaimedFile?) throws(FileSystemError) -> (file: ClaimedFile, size: Int)? {
        if let current = open {
            let size = try current.size()
            if size < segmentSize, current.isInPlace { return (current, size) }
            open = nil
        }
        guard let new = try directory.newFile(ofAtMost: segmentSize) else { return nil }
        open = new
        return (new, 0)
    }
}
