/// A value of a config file, with its position.
public struct ConfigNode: Sendable {
    /// The kinds of value.
    public enum Content: Sendable {
        /// An empty value, `~` or `null`.
        case null
        /// Text, after interpolation. `isPlain` is false for text that was quoted or came from the environment, which
        /// remains text even if it looks like something else.
        case scalar(text: String, isPlain: Bool)
        /// Values in order.
        case sequence([ConfigNode])
        /// Keys and values in order; keys are unique.
        case mapping([Entry])
    }

    /// One key of a mapping with its value.
    public struct Entry: Sendable {
        /// The key, after interpolation, for comparisons; messages show `writtenKey`.
        public let key: String
        /// The key as written in the file, with names instead of values of environment variables.
        public let writtenKey: String
        /// The place of the key.
        public let keyPosition: SourcePosition
        /// The value.
        public let value: ConfigNode

        init(key: String, writtenKey: String, keyPosition: SourcePosition, value: ConfigNode) {
            (self.key, self.writtenKey, self.keyPosition, self.value) = (key, writtenKey, keyPosition, value)
        }

        /// Makes an entry that is not in the file, at the position of its value.
        package init(_ key: String, _ value: ConfigNode) {
            self.init(key: key, writtenKey: key, keyPosition: value.position, value: value)
        }

        /// The entry with another value.
        package func replacing(_ value: ConfigNode) -> Entry {
            Entry(key: key, writtenKey: writtenKey, keyPosition: keyPosition, value: value)
        }
    }

    /// The value.
    public let content: Content
    /// The place where the value begins.
    public let position: SourcePosition
    /// The parts of a text that names environment variables; none of any other.
    let pieces: [Interpolation.Piece]
    /// The values of the environment variables in the text.
    package let variables: [String]
    /// Whether a problem of this value has been reported, so that readers do not report it again.
    public let isBroken: Bool

    init(
        _ content: Content, at position: SourcePosition, pieces: [Interpolation.Piece] = [], variables: [String] = [],
        isBroken: Bool = false
    ) {
        self.content = content
        self.position = position
        self.pieces = pieces
        self.variables = variables
        self.isBroken = isBroken
    }

    /// The text as written, if it names environment variables. Diagnostics quote this rather than the result, because
    /// the environment may contain secrets.
    var template: String? { pieces.isEmpty ? nil : pieces.map(\.written).joined() }

    /// The value of `key`, or nil when this is no mapping or has no such key.
    public subscript(key: String) -> ConfigNode? {
        entries?.first { $0.key == key }?.value
    }

    /// The text, when this is a scalar.
    public var text: String? {
        guard case .scalar(let text, _) = content else { return nil }
        return text
    }

    /// Whether the text is written in the file and not in the environment, at least as the default of variables. Text
    /// around variables without a default, or with an empty one, does not count.
    public var isWrittenOut: Bool {
        guard let text else { return false }
        guard let template else { return !text.isEmpty }
        guard let defaults = try? Interpolation(environment: [:]).values(in: template) else { return false }
        return defaults.isEmpty || defaults.contains { !$0.isEmpty }
    }

    /// The keys and values, when this is a mapping.
    public var entries: [Entry]? {
        guard case .mapping(let entries) = content else { return nil }
        return entries
    }

    /// The values, when this is a sequence.
    public var elements: [ConfigNode]? {
        guard case .sequence(let elements) = content else { return nil }
        return elements
    }

    /// Whether this is nothing, `~` or `null`.
    public var isNull: Bool {
        guard case .null = content else { return false }
        return true
    }
}

extension ConfigNode {
    /// The value as in "expected …, found …". Long texts are cut; environment variables are shown by name.
    public var found: String {
        switch content {
        case .null: "nothing"
        case .scalar: quoted
        case .sequence: "list"
        case .mapping: "mapping"
        }
    }

    /// Like `found`, for a place where a mapping is expected: with advice if a key and its value lack a space between
    /// them.
    var foundUnspaced: String {
        guard case .scalar(let text, let isPlain) = content, isPlain else { return found }
        return YAMLProblem.lacksSpace(text) ? "\(found); \(YAMLProblem.spaceAdvice)" : found
    }

    /// Like `found`, for fields without secrets: environment variables are shown with their values.
    public var foundValue: String {
        text == nil ? found : quotedValue
    }

    /// The text in quotes, as written in the file, without the credentials of a URL.
    var quoted: String {
        let shown = Self.withoutCredentials(template ?? text ?? "")
        return shown.count > 100 ? "\"\(shown.prefix(99))…\"" : "\"\(shown)\""
    }

    /// The text in force, in quotes, and the text as written if that names environment variables: for fields without
    /// secrets. Variables named like a secret are not shown, nor is the query of a URL.
    var quotedValue: String {
        guard template != nil, showsValue, let text else { return quoted }
        let value = ConfigNode(.scalar(text: Self.withoutQuery(text), isPlain: false), at: position)
        return "\(value.quoted) (from \(quoted))"
    }

    /// Whether messages may show the value: not if it is from a variable named like a secret.
    public var showsValue: Bool { template.map { !Self.namesSecret($0) } ?? true }

    private static func namesSecret(_ template: String) -> Bool {
        let marks = [
            "AUTH", "BEARER", "COOKIE", "CRED", "DSN", "JWT", "KEY", "PASS", "PWD", "SECRET", "SESSION", "SIG", "TOKEN",
        ]
        let names = template.split(separator: "${").dropFirst(template.hasPrefix("${") ? 0 : 1).map { text in
            text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }.uppercased()
        }
        return names.contains { name in marks.contains(where: name.contains) }
    }

    /// The text without query and fragment. An `@` after the first `?` or `#` may end credentials or belong to the
    /// query; then nothing after the scheme is shown.
    private static func withoutQuery(_ text: String) -> String {
        guard let mark = text.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return text }
        guard text[mark...].contains("@") else { return "\(text[...mark])…" }
        let start = text[..<mark].firstRange(of: "://")?.upperBound ?? text.startIndex
        return "\(text[..<start])<redacted>"
    }

    private static func withoutCredentials(_ text: String) -> String {
        let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        guard let end = text[start...].lastIndex(of: "@"), text[..<end].contains(":") else { return text }
        return "\(text[..<start])<redacted>\(text[end...])"
    }

    /// Whether two values are equal, whatever their positions. The order of keys counts, since it may have a meaning.
    func hasSameContent(as other: ConfigNode) -> Bool {
        switch (content, other.content) {
        case (.null, .null): true
        case (.scalar(let text, let isPlain), .scalar(let otherText, let isOtherPlain)):
            text == otherText && isPlain == isOtherPlain
        case (.sequence(let elements), .sequence(let others)):
            elements.count == others.count && zip(elements, others).allSatisfy { $0.hasSameContent(as: $1) }
        case (.mapping(let entries), .mapping(let others)):
            entries.count == others.count
                && zip(entries, others).allSatisfy { $0.key == $1.key && $0.value.hasSameContent(as: $1.value) }
        default: false
        }
    }

    /// The value at another position: a default gets the position of the mapping that lacks it.
    func moved(to position: SourcePosition) -> ConfigNode {
        let content: Content =
            switch self.content {
            case .null: .null
            case .scalar: self.content
            case .sequence(let elements): .sequence(elements.map { $0.moved(to: position) })
            case .mapping(let entries):
                .mapping(
                    entries.map {
                        Entry(
                            key: $0.key, writtenKey: $0.writtenKey, keyPosition: position,
                            value: $0.value.moved(to: position))
                    })
            }
        return ConfigNode(content, at: position, pieces: pieces, variables: variables, isBroken: isBroken)
    }
}
