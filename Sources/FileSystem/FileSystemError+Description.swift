import Glibc

extension FileSystemError: CustomStringConvertible {
    /// The sentence, as `cannot write /var/lib/larder/x.json: No space left on device`.
    public var description: String { "cannot \(verb) \(path): \(cause)" }

    private var verb: String {
        switch operation {
        case .createDirectory: "create directory"
        case .status: "look at"
        default: operation.rawValue
        }
    }

    private var cause: String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
