internal import FileSystem

/// The last lines of one file of the spool, and the claim on it.
struct SpoolSegment: Sendable {
    /// What could be read of the lines.
    let events: [GoogleAnalyticsEvent]
    /// How many lines could not be read; a crash may leave one.
    let unreadable: Int
    private let file: ClaimedFile
    /// What is before the lines.
    private let head: ArraySlice<UInt8>

    /// Where the file is.
    var path: String { file.path }

    /// Reads as many lines from the end as are to be handed out at a time.
    init(file: ClaimedFile, portion: Int) throws(FileSystemError) {
        let bytes = try file.read()
        let lines = bytes.split(separator: UInt8(ascii: "\n")).suffix(portion)
        self.file = file
        head = lines.count < portion ? [] : bytes.prefix(lines.first?.startIndex ?? 0)
        events = lines.compactMap { GoogleAnalyticsEvent(line: $0) }
        unreadable = lines.count - events.count
    }

    /// Leaves of the lines only those of these events, and nothing of a file that is empty then. When that fails, the
    /// file is as it was, and may be tried again.
    ///
    /// - Parameter temporary: a path for what is on its way; must be nobody else's.
    func keep(_ rest: [GoogleAnalyticsEvent], temporary: String) throws(FileSystemError) {
        if rest.isEmpty {
            try head.isEmpty ? file.remove() : file.truncate(to: head.count)
        } else if rest.count != events.count || unreadable > 0 {
            try file.replace(with: head + rest.flatMap(\.line), temporary: temporary)
        }
    }
}
