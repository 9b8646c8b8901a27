import Yams

/// Turns YAML text into Yams nodes, and Yams errors into diagnostics.
enum YAMLComposer {
    /// A composed document. `maskedKeys` holds the true names of keys that had to be hidden from Yams.
    struct Composed {
        let root: Node
        let maskedKeys: [SourcePosition: String]
    }

    /// Composes the only document of `text`.
    ///
    /// Yams gives up at the first mapping with a duplicate key. To find the other problems of the file too, the first
    /// of the two keys is masked and the text composed again; `TreeBuilder` then finds the duplicates by their true
    /// names.
    static func compose(_ text: String, file: String) throws(ConfigurationError) -> Composed {
        var mask = KeyMask(text: text, file: file)
        while true {
            do {
                let parser = try Parser(yaml: mask.text, resolver: .basic, encoding: .utf8)
                guard let root = try parser.singleRoot() else {
                    throw ConfigurationError(.whole(file), "the file is empty")
                }
                return Composed(root: root, maskedKeys: mask.names)
            } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
                let position = SourcePosition(file: file, line: context.mark.line, column: context.mark.column)
                guard let key = keys.first, mask.hide(key, at: position) else {
                    throw ConfigurationError(position, "duplicate key \"\(keys.first ?? "")\"")
                }
            } catch let error as ConfigurationError {
                throw error
            } catch {
                throw ConfigurationError([YAMLProblem.diagnostic(for: error, file: file)])
            }
        }
    }
}
