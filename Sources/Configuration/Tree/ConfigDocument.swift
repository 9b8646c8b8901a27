/// A config file as a tree in which every value knows its line and column.
public struct ConfigDocument: Sendable {
    /// The value at the top.
    public let root: ConfigNode
    /// The text that was parsed, without a byte order mark.
    public let text: String
    /// Problems that left a tree: undefined variables, duplicate keys, unknown tags. They are not thrown, so that
    /// `ConfigurationCheck` can report them together with all others; a tree with problems must not be used without it.
    public let problems: [Diagnostic]

    /// Parses YAML, which includes JSON, and interpolates `${NAME}` and `${NAME:-default}` from `environment`.
    ///
    /// Throws only what leaves no tree to check: broken syntax, an empty file, a tree beyond all bounds.
    public static func parse(
        _ text: String, file: String, environment: [String: String]
    ) throws(ConfigurationError) -> ConfigDocument {
        let composed = try YAMLComposer.compose(text, file: file)
        var builder = TreeBuilder(
            file: file, interpolation: Interpolation(environment: environment), maskedKeys: composed.maskedKeys)
        let root = try builder.build(composed.root)
        guard !root.isNull else { throw ConfigurationError(.whole(file), "the file is empty") }
        return ConfigDocument(root: root, text: text, problems: builder.problems)
    }

    /// Reads and parses the file at `path`, which is relative to the working directory.
    ///
    /// A file that is missing or cannot be read is one diagnostic that says why.
    public static func read(
        path: String, environment: [String: String]
    ) throws(ConfigurationError) -> ConfigDocument {
        let text: String
        do {
            text = try TextFile.read(path)
        } catch {
            throw ConfigurationError(.whole(path), "cannot read the config file: \(error)")
        }
        return try parse(text, file: path, environment: environment)
    }

    /// The document with another text as the value of a top-level key.
    public func replacing(_ key: String, with text: String) -> ConfigDocument {
        guard let entries = root.entries else { return self }
        let replaced = entries.map { entry in
            guard entry.key == key else { return entry }
            let value = ConfigNode(.scalar(text: text, isPlain: false), at: entry.value.position)
            return ConfigNode.Entry(
                key: key, writtenKey: entry.writtenKey, keyPosition: entry.keyPosition, value: value)
        }
        return ConfigDocument(
            root: ConfigNode(.mapping(replaced), at: root.position), text: self.text, problems: problems)
    }
}

extension ConfigurationError {
    init(_ position: SourcePosition, _ message: String) {
        self.init([Diagnostic(.error, at: position, message)])
    }
}
