internal import FileSystem

extension AnalyticsDropReason {
    /// What an error of a writer means for the events that were to be written.
    init(writing error: any Error) {
        switch error {
        case let error as FileSystemError where error.isOutOfSpace: self = .diskFull
        case is CancellationError: self = .closed
        default: self = .writeFailed
        }
    }
}
