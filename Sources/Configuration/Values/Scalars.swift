internal import Text

/// Parses one kind of text in a config, and describes the faults of others.
struct ScalarKind<Value> {
    /// The name of the kind, as `FieldType.noun` has it.
    let noun: String
    /// The words after "bad …", for kinds whose form has to be shown.
    let form: String?
    /// The value of a getter after a problem, if the field has no default.
    let placeholder: Value
    let parse: (String) -> Value?
    /// The fault of an invalid text, and the probable intention; nil if unknown.
    let fault: (String) -> TextFault?

    init(
        _ noun: String, form: String? = nil, placeholder: Value, parse: @escaping (String) -> Value?,
        fault: @escaping (String) -> TextFault? = { _ in nil }
    ) {
        self.noun = noun
        self.form = form
        self.placeholder = placeholder
        self.parse = parse
        self.fault = fault
    }

    /// Describes why `node` is not a valid value of this kind.
    func problem(with node: ConfigNode) -> TextFault {
        guard let text = node.text, let form else {
            return TextFault("expected \(noun), found \(node.foundValue)")
        }
        let fault = fault(text)
        let reason = fault.map { ": \($0.problem)" } ?? ""
        let meant = node.showsValue ? fault?.meant : nil
        return TextFault("bad \(noun) \(node.quotedValue)\(reason); \(form)", meant: meant)
    }
}

/// The fault of a text, and the probable intention.
struct TextFault {
    let problem: String
    let meant: String?

    init(_ problem: String, meant: String? = nil) {
        self.problem = problem
        self.meant = meant
    }
}

extension ScalarKind where Value == String {
    static var string: ScalarKind { ScalarKind("string", placeholder: "") { $0 } }

    static var url: ScalarKind { url(["http", "https"], like: "http://example.com/products") }

    static func url(_ schemes: [String], like example: String, or other: String? = nil) -> ScalarKind {
        let url = URLText(schemes: schemes)
        return ScalarKind(
            "url", form: "write it like \(example)", placeholder: "\(schemes[0])://localhost/",
            parse: { text in
                let isOther = other.map { $0.hasSuffix(":") ? text.hasPrefix($0) : text == $0 } ?? false
                return isOther ? text : url.parse(text)
            }, fault: url.fault)
    }

    static var path: ScalarKind {
        ScalarKind("path", placeholder: "/dev/null") { $0.isEmpty || $0.contains("\0") ? nil : $0 }
    }
}

extension ScalarKind where Value == Int {
    static var integer: ScalarKind { ScalarKind("integer", placeholder: 1) { Int($0) } }

    static var size: ScalarKind {
        ScalarKind("size", form: "write it like 512, 16KiB, 64MiB or 10MB", placeholder: 1, parse: SizeText.parse)
    }
}

extension ScalarKind where Value == Double {
    static var ratio: ScalarKind {
        ScalarKind("ratio", form: "write a number from 0 to 1", placeholder: 1) { text in
            decimal(text).flatMap { (0...1).contains($0) ? $0 : nil }
        }
    }

    /// Plain decimal notation only: neither hexadecimal nor infinity nor "not a number".
    private static func decimal(_ text: String) -> Double? {
        guard text.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }) else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}

extension ScalarKind where Value == Bool {
    static var boolean: ScalarKind {
        ScalarKind("boolean", form: "write true or false", placeholder: false) { text in
            text == "true" ? true : text == "false" ? false : nil
        }
    }
}

extension ScalarKind where Value == Duration {
    static var duration: ScalarKind {
        ScalarKind(
            "duration", form: "write it like 250ms, 5s, 2m or 7d", placeholder: .seconds(1), parse: DurationText.parse)
    }
}

extension ScalarKind where Value == NetworkAddress {
    static var address: ScalarKind {
        ScalarKind(
            "address", form: "write it like 127.0.0.1:8080, example.com:443 or [::1]:8080",
            placeholder: NetworkAddress(host: "localhost", port: 0), parse: { NetworkAddress($0) },
            fault: NetworkAddress.fault)
    }
}

extension ScalarKind where Value == Secret {
    /// Never reveals the text, whatever its fault.
    static var secret: ScalarKind {
        ScalarKind("secret", placeholder: Secret("")) { $0.isEmpty ? nil : Secret($0) }
    }
}

/// Describes ranges, for values outside them.
enum RangeText {
    /// `at least 1`, `from 1 to 10`, or nil for other kinds of range.
    static func describe<Bound>(_ range: some RangeExpression<Bound>, _ format: (Bound) -> String) -> String? {
        switch range {
        case let range as ClosedRange<Bound>: "from \(format(range.lowerBound)) to \(format(range.upperBound))"
        case let range as PartialRangeFrom<Bound>: "at least \(format(range.lowerBound))"
        default: nil
        }
    }

    /// A value within the range, or nil if there is no simple one.
    static func sample<Bound>(_ range: some RangeExpression<Bound>) -> Bound? {
        switch range {
        case let range as ClosedRange<Bound>: range.lowerBound
        case let range as PartialRangeFrom<Bound>: range.lowerBound
        default: nil
        }
    }
}
