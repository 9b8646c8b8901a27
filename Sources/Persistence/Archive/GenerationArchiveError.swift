/// Why a generation cannot be had, or not be gone back to.
public enum GenerationArchiveError: Error, Sendable, Hashable {
    /// The directory has none, or is not there.
    case empty(directory: String)
    /// There is none of this number.
    case missing(Int, there: [Int], directory: String)
    /// It is there and cannot be used.
    case unusable(path: String, fault: String)
    /// There are some, and none can be used.
    case noneUsable(directory: String)
    /// None that is older than the newest usable one has other products and can be used.
    case nothingOlder(than: Int, directory: String)
    /// The system refused.
    case failed(detail: String)
}

extension GenerationArchiveError: CustomStringConvertible {
    /// The sentence, without a full stop.
    public var description: String {
        switch self {
        case .empty(let directory): "there is no generation in \(directory)"
        case .missing(let number, let there, let directory):
            "there is no generation \(number) in \(directory), only \(Self.list(there))"
        case .unusable(let path, let fault): fault.contains(path) ? fault : "\(path): \(fault)"
        case .noneUsable(let directory): "no generation in \(directory) can be used"
        case .nothingOlder(let number, let directory):
            "no usable generation in \(directory) that is older than \(number) has other products"
        case .failed(let detail): detail
        }
    }

    private static func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }
}
