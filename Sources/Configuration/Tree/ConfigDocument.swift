internal import FoundationEssentials
internal import Yams

/// A config file as a tree whose values have a line and a column.
public struct ConfigDocument: Sendable {
    /// The value at the top.
    public let root: ConfigNode
    /// The text that was parsed, without a byte order mark.
    public let text: String
    /// Problems that left a tree: undefined variables, unknown tags, keys that variables made equal. They are not
    /// thrown, so that `ConfigurationCheck` reports them with all others; do not use a tree with problems without that
    /// check.
    public let problems: [Diagnostic]

    /// Parses YAML, which includes JSON, and interpolates `${NAME}` and `${NAME:-default}` from `environment`.
    ///
    /// Throws only if there is no tree to check: invalid syntax, a duplicate key, an empty file, a tree beyond the
    /// limits.
    public static func parse(
        _ text: String, file: String, environment: [String: String]
    ) throws(ConfigurationError) -> ConfigDocument {
        var builder = TreeBuilder(file: file, interpolation: Interpolation(environment: environment))
        let root = try builder.build(node(of: text, file: file))
        guard !root.isNull else { throw ConfigurationError(.whole(file), "the file is empty") }
        return ConfigDocument(root: root, text: text, problems: builder.problems)
    }

    private static func node(of text: String, file: String) throws(ConfigurationError) -> Node {
        let root: Node?
        do {
            root = try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot()
        } catch {
            throw ConfigurationError([YAMLProblem.diagnostic(for: error, file: file)])
        }
        guard let root else { throw ConfigurationError(.whole(file), "the file is empty") }
        return root
    }

    /// Reads and parses the file at `path`, relative to the working directory; `-` is standard input, which is read
    /// once in a process and kept.
    ///
    /// A file that is missing or cannot be read gives one diagnostic.
    ///
    /// - Parameter substitute: the text to use if the file does not exist; nil to make that an error.
    public static func read(
        path: String, environment: [String: String], orElse substitute: String? = nil
    ) throws(ConfigurationError) -> ConfigDocument {
        let text: String
        do {
            text = try path == "-" ? standardInput.get() : TextFile.read(path)
        } catch {
            if case .missing = error, let substitute {
                return try parse(substitute, file: path, environment: environment)
            }
            throw ConfigurationError(.whole(name(of: path)), "cannot read the config file: \(error)")
        }
        return try parse(text, file: name(of: path), environment: environment)
    }

    private static let standardInput = Result { () throws(TextFile.Failure) in try TextFile.read("/dev/stdin") }

    /// The name of the file at `path` in messages.
    public static func name(of path: String) -> String { path == "-" ? "stdin" : path }

    /// The document with another text as the value of a top-level key.
    public func replacing(_ key: String, with text: String) -> ConfigDocument {
        guard let entries = root.entries else { return self }
        let replaced = entries.map { entry in
            guard entry.key == key else { return entry }
            return entry.replacing(ConfigNode(.scalar(text: text, isPlain: false), at: entry.value.position))
        }
        return self.replacing(ConfigNode(.mapping(replaced), at: root.position))
    }

    /// The document with another tree, and more problems.
    package func replacing(_ root: ConfigNode, adding more: [Diagnostic] = []) -> ConfigDocument {
        ConfigDocument(root: root, text: text, problems: problems + more)
    }
}

extension ConfigurationError {
    init(_ position: SourcePosition, _ message: String) {
        self.init([Diagnostic(.error, at: position, message)])
    }
}

/// Reads small text files: the config itself and files with a secret.
enum TextFile {
    /// The reason why a text file could not be read.
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
