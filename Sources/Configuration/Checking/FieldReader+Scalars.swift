package import Text

/// The getters of texts, numbers and other scalars.
extension FieldReader {
    /// The text of a field that is required or has a default.
    public func string(_ field: String) -> String { required(field, .string) }

    /// The text of a field, or nil when it is absent.
    public func optionalString(_ field: String) -> String? { optional(field, .string) }

    /// The truth value of a field that is required or has a default.
    public func boolean(_ field: String) -> Bool { required(field, .boolean) }

    /// The number from 0 to 1 of a field that is required or has a default.
    public func ratio(_ field: String) -> Double { required(field, .ratio) }

    /// The number from 0 to 1 of a field, or nil when it is absent.
    public func optionalRatio(_ field: String) -> Double? { optional(field, .ratio) }

    /// The host and port of a field that is required or has a default.
    public func address(_ field: String) -> NetworkAddress { required(field, .address) }

    /// The absolute URL, as written, of a field of type `.url` or `.urlOf` that is required or has a default.
    public func url(_ field: String) -> String {
        guard case .urlOf(let schemes, let example, let other) = spec(field).type else { return required(field, .url) }
        return required(field, .url(schemes, like: example, or: other))
    }

    /// The absolute URL, as written, of a field of type `.urlOf`, or nil when it is absent.
    package func optionalURL(_ field: String) -> String? {
        guard case .urlOf(let schemes, let example, let other) = spec(field).type else { mismatch(field, "url") }
        return optional(field, .url(schemes, like: example, or: other))
    }

    /// The path, as written, of a field that is required or has a default.
    public func path(_ field: String) -> String { required(field, .path) }

    /// The path, as written, of a field, or nil when it is absent.
    public func optionalPath(_ field: String) -> String? { optional(field, .path) }

    /// The secret of a field, or nil when it is absent.
    package func optionalSecret(_ field: String) -> Secret? { optional(field, .secret) }
}

/// The parsing behind the scalar getters.
extension FieldReader {
    /// The value of a field that is required or has a default.
    func required<Value>(_ field: String, _ kind: ScalarKind<Value>) -> Value {
        precondition(spec(field).requirement != .optional, "\"\(field)\" is optional; read it by an optional getter")
        return optional(field, kind) ?? fallback(field, kind)
    }

    /// The value of a field; nil if it is absent or invalid.
    func optional<Value>(_ field: String, _ kind: ScalarKind<Value>) -> Value? {
        expect(field, kind.noun)
        guard let node = node(field) else { return nil }
        return value(of: node, kind, field: field, label: field)
    }

    func required<Value>(
        _ field: String, _ kind: ScalarKind<Value>, in range: some RangeExpression<Value>,
        _ format: (Value) -> String
    ) -> Value {
        let value = required(field, kind)
        return check(value, field, range, format) ? value : RangeText.sample(range) ?? value
    }

    func optional<Value>(
        _ field: String, _ kind: ScalarKind<Value>, in range: some RangeExpression<Value>,
        _ format: (Value) -> String
    ) -> Value? {
        optional(field, kind).flatMap { check($0, field, range, format) ? $0 : nil }
    }

    /// Parses a text of one kind at `node`, which is the value of `field` or within it.
    func value<Value>(of node: ConfigNode, _ kind: ScalarKind<Value>, field: String, label: String) -> Value? {
        if !node.isBroken, let text = node.text, let value = kind.parse(text) { return value }
        let fault = kind.problem(with: node)
        fail(field, node, "\"\(label)\": \(fault.problem)", suggestion: fault.meant)
        return nil
    }

    /// Traps unless `field` is declared with this type.
    func expect(_ field: String, _ type: String) {
        let declared = spec(field).type.description
        precondition(
            declared == type, "\"\(field)\" in \"\(what)\" is declared as \(declared) and read as \(type)")
    }

    private func fallback<Value>(_ field: String, _ kind: ScalarKind<Value>) -> Value {
        guard case .defaulted(let text) = spec(field).requirement else { return kind.placeholder }
        let node = DefaultText.node(text, of: field, at: position)
        return node.text.flatMap(kind.parse) ?? kind.placeholder
    }

    private func check<Value>(
        _ value: Value, _ field: String, _ range: some RangeExpression<Value>, _ format: (Value) -> String
    ) -> Bool {
        if range.contains(value) { return true }
        guard let node = node(field), !node.isBroken, node.text != nil else { return false }
        let allowed = RangeText.describe(range, format).map { "; it must be \($0)" } ?? ""
        fail(field, node, "\"\(field)\": \(node.quotedValue) is out of range\(allowed)")
        return false
    }
}

/// The getters of numbers and durations within a range.
extension FieldReader {
    /// The whole number of a field that is required or has a default; outside `range` it is a problem.
    public func integer(_ field: String, in range: some RangeExpression<Int> = Int.min...) -> Int {
        required(field, .integer, in: range) { "\($0)" }
    }

    /// The whole number of a field, or nil when it is absent; outside `range` it is a problem.
    public func optionalInteger(_ field: String, in range: some RangeExpression<Int> = Int.min...) -> Int? {
        optional(field, .integer, in: range) { "\($0)" }
    }

    /// The duration of a field that is required or has a default; outside `range` it is a problem.
    public func duration(_ field: String, in range: some RangeExpression<Duration> = Duration.zero...) -> Duration {
        required(field, .duration, in: range, DurationText.format)
    }

    /// The duration of a field, or nil when it is absent; outside `range` it is a problem.
    package func optionalDuration(
        _ field: String, in range: some RangeExpression<Duration> = Duration.zero...
    ) -> Duration? {
        optional(field, .duration, in: range, DurationText.format)
    }

    /// The number of bytes of a field that is required or has a default; outside `range` it is a problem.
    public func size(_ field: String, in range: some RangeExpression<Int> = 0...) -> Int {
        required(field, .size, in: range, SizeText.format)
    }

    /// The number of bytes of a field, or nil when it is absent; outside `range` it is a problem.
    package func optionalSize(_ field: String, in range: some RangeExpression<Int> = 0...) -> Int? {
        optional(field, .size, in: range, SizeText.format)
    }
}

/// The getters of secrets and texts that may be in files of their own.
extension FieldReader {
    /// The secret in `field` or in the file that `<field>_file` names; exactly one of the two is required. Newlines at
    /// the end of the file are ignored. Declare both fields with `FieldSpec.secretOrFile`.
    package func secretOrFile(_ field: String) -> Secret {
        if let secret = optionalSecretOrFile(field) { return secret }
        if given(field) == nil, given(field + "_file") == nil {
            report(.error, at: position, "missing \"\(field)\" or \"\(field)_file\" \(place)")
        }
        return Secret("")
    }

    /// The secret in `field` or in the file that `<field>_file` names; nil when neither is given.
    package func optionalSecretOrFile(_ field: String) -> Secret? {
        let secret = optionalSecret(field)
        let fileField = field + "_file"
        guard let path = optionalPath(fileField), let node = given(fileField) else { return secret }
        guard given(field) == nil else {
            fail(fileField, node, "\"\(field)\" and \"\(fileField)\" exclude each other; keep one")
            return nil
        }
        return textFile(path, fileField, node, shown: node.quoted) { text in
            text.lastIndex { !$0.isNewline }.map { Secret(String(text[...$0])) }
        }
    }

    /// The address in a node that the component parses itself; nil, with a report, for anything else.
    public func address(of node: ConfigNode, _ field: String) -> NetworkAddress? {
        value(of: node, .address, field: field, label: field)
    }

    /// The text of the file that a field of type `.path` names; nil if the field is absent. A file that is empty or
    /// cannot be read is a problem.
    public func textOfFile(_ field: String) -> String? {
        guard let path = optionalPath(field), let node = given(field) else { return nil }
        return textFile(path, field, node, shown: node.quotedValue) { $0.isEmpty ? nil : $0 }
    }

    private func textFile<Value>(
        _ path: String, _ field: String, _ node: ConfigNode, shown: String, _ content: (String) -> Value?
    ) -> Value? {
        context.resolver.files.append(path)
        do {
            if let value = content(try TextFile.read(path)) { return value }
            fail(field, node, "\"\(field)\": \(shown) is empty")
        } catch {
            fail(field, node, "\"\(field)\": cannot read \(shown): \(error)")
        }
        return nil
    }
}
