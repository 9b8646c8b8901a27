import FileSystem

/// Why a generation cannot be loaded.
enum GenerationFault: Error {
    /// The system does not give it out.
    case unreadable(FileSystemError)
    /// A newer version of the service wrote it.
    case newerFormat(Int)
    /// It is not what was written.
    case damaged(String)
}

extension GenerationFault: CustomStringConvertible {
    var description: String {
        switch self {
        case .unreadable(let error): "\(error)"
        case .newerFormat(let format):
            "written in format \(format), newer than \(GenerationHeader.currentFormat), the newest known"
        case .damaged(let detail): "damaged: \(detail)"
        }
    }
}
