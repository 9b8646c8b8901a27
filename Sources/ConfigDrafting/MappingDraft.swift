internal import Configuration
internal import Text

/// The `decode` of a config that is being drafted. Its values are written as YAML.
struct MappingDraft {
    /// The name of the shop's form; nil for a form that is not known.
    var form: String?
    /// The entries for a document that is not JSON.
    var format: [String] = []
    var items = ""
    var item: String?
    /// The way to further pages that the shop's form has, with the query parameters that it sends itself.
    var pagination: (written: String, parameters: [String])?
    /// The list beside the items, of JSON:API.
    var includes: String?
    var when: String?
    var type = "physical"
    var fields: [FieldDraft] = []
    var constants: [(ours: String, written: String)] = []
    /// The members of `variants`; none without variants.
    var variants: [(name: String, written: String)] = []
    /// The list to read as variants although products have prices of their own, if the document can be decoded with it.
    var guessedVariants: String?
    /// The members that are served without being mapped, as `attributes` has them.
    var attributes: String?
    /// The paths to members of products that are not served.
    var omitted: [String] = []
    var skipsBadItems = false
    /// The price below which an item is bad; nil for none.
    var minimumPrice: String?
    /// The entries of a form that lead to nothing in the document.
    var absent: [FieldDraft] = []
    /// Decisions that a person should look at.
    var remarks: [String] = []

    /// Replaces the source of one of our members.
    mutating func replace(_ field: FieldDraft) {
        constants.removeAll { $0.ours == field.ours }
        if let index = fields.firstIndex(where: { $0.ours == field.ours }) {
            fields[index] = field
        } else {
            fields.append(field)
        }
    }

    /// Replaces the source of one of our members by one value for all items.
    mutating func replace(_ ours: String, by constant: String) {
        fields.removeAll { $0.ours == ours }
        constants.removeAll { $0.ours == ours }
        constants.append((ours, YAMLText.scalar(constant)))
    }

    /// The lines of the mapping.
    var lines: [String] {
        var lines = format
        if !items.isEmpty { lines.append("items: \(YAMLText.scalar(items))") }
        if let item { lines.append("item: \(YAMLText.scalar(item))") }
        if let includes { lines.append("includes: \(includes)") }
        if let when { lines.append("when: \(when)") }
        lines.append("type: \(type)")
        if fields.allSatisfy({ $0.remark == nil }) {
            if !fields.isEmpty {
                lines += YAMLText.wrapped("fields: \(YAMLText.flow(fields.map { ($0.ours, $0.written) }))")
            }
        } else {
            lines.append("fields:")
            for field in fields {
                lines += (field.remark.map { YAMLText.comment($0) } ?? []).map { "  \($0)" }
                lines.append("  \(YAMLText.scalar(field.ours)): \(field.written)")
            }
        }
        for field in absent {
            lines += YAMLText.comment("Not in this document: \(field.ours): \(field.written)").map { "  \($0)" }
        }
        if !constants.isEmpty { lines.append("constants: \(YAMLText.flow(constants.map { ($0.ours, $0.written) }))") }
        if !variants.isEmpty { lines += YAMLText.wrapped("variants: \(YAMLText.flow(variants))") }
        if skipsBadItems { lines.append("on_bad_item: skip") }
        if let minimumPrice { lines.append("minimum_price: \(minimumPrice)") }
        if let attributes { lines += YAMLText.wrapped("attributes: \(attributes)") }
        if !omitted.isEmpty {
            lines += YAMLText.wrapped("omit: [\(omitted.map(YAMLText.scalar).joined(separator: ", "))]")
        }
        return lines
    }
}

/// An entry of `fields`.
struct FieldDraft {
    let ours: String
    /// The places, in order of preference.
    var paths: [String]
    /// The rules, written as YAML.
    var options: [(name: String, written: String)] = []
    var remark: String?

    var written: String {
        let place =
            paths.count == 1
            ? YAMLText.scalar(paths[0]) : "[\(paths.map(YAMLText.scalar).joined(separator: ", "))]"
        guard !options.isEmpty else { return place }
        let rules = options.map { ", \($0.name): \($0.written)" }.joined()
        return "{ path: \(place)\(rules) }"
    }
}

/// Texts as YAML has them, in flow style.
enum YAMLText {
    private static let words: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
    private static let marks: Set<Character> = ["_", "-", ".", "*", "/"]

    /// A text, in quotes where YAML would read it otherwise. Nothing in it is a variable.
    static func scalar(_ text: String) -> String {
        let isPlain =
            text.first?.isLetter == true && !words.contains(text.lowercased())
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || marks.contains($0)) }
        guard !isPlain else { return text }
        let literal = text.split(separator: "${", omittingEmptySubsequences: false).joined(separator: "$${")
        let quoted = JSONString.quoted(literal).unicodeScalars.map { scalar in
            scalar.isSteering ? escape(scalar) : String(scalar)
        }
        return quoted.joined()
    }

    /// A value of the table of forms, with a change of its texts.
    static func flow(_ node: ConfigNode, _ change: (String) -> String) -> String {
        switch node.content {
        case .null: return "null"
        case .scalar(let text, true) where text.first?.isNumber == true || words.contains(text): return text
        case .scalar(let text, _): return scalar(change(text))
        case .sequence(let elements): return "[\(elements.map { flow($0, change) }.joined(separator: ", "))]"
        case .mapping(let entries):
            let members = entries.map { entry in
                "\(scalar(entry.key)): \(flow(entry.value, change))"
            }
            return "{ \(members.joined(separator: ", ")) }"
        }
    }

    /// A mapping of values that are written.
    static func flow(_ members: [(name: String, written: String)]) -> String {
        "{ \(members.map { "\(scalar($0.name)): \($0.written)" }.joined(separator: ", ")) }"
    }

    /// Wraps an entry in flow style after commas of the outer mapping. A line that is still too long breaks after inner commas.
    static func wrapped(_ text: String, width: Int = 110) -> [String] {
        var lines: [String] = []
        for piece in pieces(of: text[...], at: 1, width: width) {
            if let last = lines.last, last.count + piece.count < width {
                lines[lines.count - 1] += " \(piece)"
            } else {
                lines.append(lines.isEmpty ? piece : "  \(piece)")
            }
        }
        return lines
    }

    /// Divides a text behind commas that stand in so many brackets, and in more where a piece is too long.
    private static func pieces(of text: Substring, at limit: Int, width: Int) -> [String] {
        var (pieces, start, depth, isQuoted, isEscaped, deepest) = ([Substring](), text.startIndex, 0, false, false, 0)
        for index in text.indices {
            switch text[index] {
            case "\\" where isQuoted: isEscaped.toggle()
            case "\"" where !isEscaped: isQuoted.toggle()
            case "{" where !isQuoted, "[" where !isQuoted: depth += 1
            case "}" where !isQuoted, "]" where !isQuoted: depth -= 1
            case "," where !isQuoted && depth <= limit:
                pieces.append(text[start...index])
                start = text.index(after: index)
            default: break
            }
            if text[index] != "\\" { isEscaped = false }
            deepest = max(deepest, depth)
        }
        pieces.append(text[start...])
        return pieces.enumerated().flatMap { index, piece -> [String] in
            let piece = piece.first == " " ? piece.dropFirst() : piece
            if piece.isEmpty { return [] }
            guard piece.count >= width, limit < deepest else { return [String(piece)] }
            // The first piece opens the bracket that encloses the others.
            return Self.pieces(of: piece, at: index == 0 ? limit + 1 : limit, width: width)
        }
    }

    /// Lines of a comment.
    static func comment(_ text: String, width: Int = 110) -> [String] {
        var lines: [String] = []
        for word in text.printable.split(separator: " ") {
            if let last = lines.last, last.count + word.count < width {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append("# \(word)")
            }
        }
        return lines
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
    }
}
