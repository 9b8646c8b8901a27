package import JSON
package import Text

/// A path within an upstream's item, which may lead to several values: `images.0.src`, `variants.*.price`,
/// `prices[currency=eur].amount`, `prices[!group].amount`.
///
/// A part in brackets leads to the elements of an array that fit. Without a `*` the first value counts.
package struct ItemPath: Sendable, Hashable {
    package enum Step: Sendable, Hashable {
        /// A member of an object, or an element of an array by its index.
        case child(String)
        /// Every element of an array: `*`.
        case every
        /// The elements, or the object itself, whose member has this text: `[key=value]`. Without a text the member is missing,
        /// null or empty: `[!key]`.
        case fitting(JSONPath, String?)
        /// The text in the first of these languages that is there.
        case text(LanguageRanges)
    }

    package let steps: [Step]
    /// The path as names and indexes; nil if it has other steps. It is kept, since most paths are followed in each item.
    package let plain: JSONPath?

    /// Parses a path; nil for a text that is none, see ``fault(of:)``.
    package init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        var (steps, name, rest, isNamed): ([Step], String, Substring, Bool) = ([], "", text[...], true)
        func close() -> Bool {
            if isNamed, name.isEmpty { return false }
            if isNamed { steps.append(name == "*" ? .every : .child(name)) }
            (name, isNamed) = ("", false)
            return true
        }
        while let character = rest.popFirst() {
            if character == "." {
                guard close() else { return nil }
                isNamed = true
            } else if character == "[", let end = rest.firstIndex(of: "]"), let step = Self.fitting(rest[..<end]) {
                guard close() else { return nil }
                steps.append(step)
                rest = rest[end...].dropFirst()
            } else if isNamed {
                name.append(character)
            } else {
                return nil
            }
        }
        guard close(), JSONPath.isWithoutIndexes(text) else { return nil }
        self.steps = steps
        let isPlain = steps.allSatisfy { if case .child = $0 { true } else { false } }
        plain = isPlain ? JSONPath(text) : nil
    }

    package init(_ path: JSONPath) { (steps, plain) = (path.components.map(Step.child), path) }

    package init(_ steps: [Step]) { (self.steps, plain) = (steps, nil) }

    /// Returns the path to a text in the first of these languages at the place that this one leads to.
    package func localized(_ languages: LanguageRanges) -> ItemPath { ItemPath(steps + [.text(languages)]) }

    private static func fitting(_ text: Substring) -> Step? {
        if text.first == "!" { return JSONPath(String(text.dropFirst())).map { .fitting($0, nil) } }
        guard let sign = text.firstIndex(of: "=") else { return nil }
        return JSONPath(String(text[..<sign])).map { .fitting($0, String(text[sign...].dropFirst())) }
    }

    /// Describes the fault of a text that is no path, with a form that is right.
    package static func fault(of text: String) -> String {
        guard text.contains("["), JSONPath.isWithoutIndexes(text) else { return JSONPath.fault(of: text) }
        return
            "is no key path; [key=value] or [!key] stands behind the name of an array, like prices[currency=eur].amount"
    }

    /// Whether it leads to a list: to a value for each element of an array.
    package var leadsToList: Bool { steps.contains(.every) }

    /// Whether it has names and `*` alone, and ends with a name.
    package var leadsByNames: Bool {
        guard case .child? = steps.last else { return false }
        return steps.allSatisfy { step in
            switch step {
            case .child, .every: true
            case .fitting, .text: false
            }
        }
    }

    /// Whether it leads to the elements of an array, and not to an array.
    var leadsToElements: Bool {
        if case .fitting? = steps.last { true } else { leadsToList }
    }

    /// The name of the member that it leads to; nil where it leads deeper.
    package var member: String? { steps.count == 1 ? root : nil }

    /// The name of the member of the item that it leads through.
    package var root: String? {
        if case .child(let name)? = steps.first { name } else { nil }
    }

    /// Returns the values that it leads to, in their order, without null.
    package func values(in item: JSONValue) -> [JSONValue] {
        var found: [JSONValue] = []
        collect(steps[...], in: item, &found)
        return found
    }

    /// Returns the first value that it leads to, unless that is null.
    package func first(in item: JSONValue) -> JSONValue? {
        guard let plain else { return values(in: item).first }
        guard let value = item[plain], !value.isNull else { return nil }
        return value
    }

    private func collect(_ steps: ArraySlice<Step>, in value: JSONValue, _ found: inout [JSONValue]) {
        guard let step = steps.first else {
            if !value.isNull { found.append(value) }
            return
        }
        for inner in step.values(in: value) { collect(steps.dropFirst(), in: inner, &found) }
    }

    /// The place where a path stops short of a value.
    struct End {
        /// The steps that lead to a value; none for the item.
        let steps: ArraySlice<Step>
        /// The next step, which leads nowhere.
        let step: Step
        /// The value at the place.
        let value: JSONValue

        var depth: Int { steps.count }
        var place: String { ItemPath.text(steps) }
    }

    /// Returns the place where it stops short of a value, the furthest one; nil if it leads to a value, or to null.
    func end(in item: JSONValue) -> End? { end(of: 0, in: item) }

    /// Whether it leads to a value, or to null.
    package func leadsSomewhere(in item: JSONValue) -> Bool { end(in: item) == nil }

    private func end(of depth: Int, in value: JSONValue) -> End? {
        guard depth < steps.count else { return nil }
        var furthest = End(steps: steps[..<depth], step: steps[depth], value: value)
        for inner in steps[depth].values(in: value) {
            guard let end = end(of: depth + 1, in: inner) else { return nil }
            if end.depth > furthest.depth { furthest = end }
        }
        return furthest
    }

    fileprivate static func text(_ steps: ArraySlice<Step>) -> String {
        steps.reduce(into: "") { text, step in
            if step.isNamed, !text.isEmpty { text += "." }
            text += step.description
        }
    }
}

extension ItemPath.Step: CustomStringConvertible {
    package var description: String {
        switch self {
        case .child(let name): name
        case .every: "*"
        case .fitting(let path, let text?): "[\(path)=\(text)]"
        case .fitting(let path, nil): "[!\(path)]"
        case .text(let languages): " in \(languages)"
        }
    }

    /// Whether a point stands before it.
    fileprivate var isNamed: Bool {
        switch self {
        case .child, .every: true
        case .fitting, .text: false
        }
    }

    fileprivate func values(in value: JSONValue) -> [JSONValue] {
        switch self {
        case .child(let name): value.child(name).map { [$0] } ?? []
        case .every: value.array ?? []
        case .text(let languages): languages.value(in: value).map { [$0] } ?? []
        case .fitting(let path, let text):
            (value.array ?? (value.object == nil ? [] : [value])).filter { element in
                guard let member = element[path], !member.isBlank else { return text == nil }
                guard let text else { return false }
                return member.scalarText == text
                    || member.number.flatMap { number in JSONNumber(literal: text).map(number.isEqual) } ?? false
            }
        }
    }
}

extension ItemPath: CustomStringConvertible {
    /// The path as it is written.
    package var description: String { Self.text(steps[...]) }
}

extension JSONValue {
    /// A string, number or boolean as a config writes it; nil for any other value.
    package var scalarText: String? {
        switch self {
        case .string(let string): string
        case .number(let number): number.literal
        case .bool(let bool): bool ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// Whether it is null, or an empty string, array or object.
    var isBlank: Bool {
        switch self {
        case .null: true
        case .string(let text): text.isEmpty
        case .array(let elements): elements.isEmpty
        case .object(let object): object.isEmpty
        case .bool, .number: false
        }
    }
}

extension JSONNumber {
    /// Whether both are the same number, in any notation. Numbers are not written out, since an exponent may be huge.
    func isEqual(to other: JSONNumber) -> Bool {
        if literal == other.literal { return true }
        guard let one = decimalParts, let two = other.decimalParts else { return false }
        return one.digits == two.digits && one.exponent == two.exponent
            && (one.isNegative == two.isNegative || one.digits.isEmpty)
    }
}
