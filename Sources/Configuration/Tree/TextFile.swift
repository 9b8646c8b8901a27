import FoundationEssentials

/// Reads small text files: the config itself and files that hold a secret.
enum TextFile {
    /// Why a text file could not be read.
    enum Failure: Error, CustomStringConvertible {
        case missing
        case noPermission
        case isDirectory
        case notUTF8
        case other(String)

        var description: String {
            switch self {
            case .missing: "no such file"
            case .noPermission: "permission denied"
            case .isDirectory: "it is a directory"
            case .notUTF8: "it is not UTF-8 text"
            case .other(let reason): reason
            }
        }
    }

    /// The whole text without a byte order mark.
    static func read(_ path: String) throws(Failure) -> String {
        var isDirectory = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory {
            throw .isDirectory
        }
        let bytes = try bytes(path)
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }

    private static func bytes(_ path: String) throws(Failure) -> Data {
        do {
            return try Data(contentsOf: URL(filePath: path))
        } catch let error as CocoaError {
            switch error.code {
            case .fileNoSuchFile, .fileReadNoSuchFile: throw .missing
            case .fileReadNoPermission: throw .noPermission
            default: throw .other("reading failed (\(error.code.rawValue))")
            }
        } catch {
            throw .other("\(error)")
        }
    }
}
