/// The path of a value inside another: names and array indexes with dots between them, as `data.products` or
/// `items.0.price`.
///
/// A component of digits is an index where it meets an array, and a name where it meets an object.
public struct JSONPath: Sendable, Hashable {
    /// The components, outermost first; none for the value itself.
    package let components: [String]

    /// Parses a path; nil for an empty component, and for an index in brackets, as in `items[0].price`.
    package init?(_ text: String) {
        let components = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard components.allSatisfy({ !$0.isEmpty }), Self.withoutBrackets(text) == nil else { return nil }
        self.components = components
    }

    /// Describes the fault of a text that is not a path, with the valid form of an index: `is no key path; …`.
    package static func fault(of text: String) -> String {
        guard let path = withoutBrackets(text) else {
            return "is no key path; write names with dots between them, like data.products"
        }
        return "is no key path; an index of an array stands between dots, like \(path)"
    }

    /// Whether no index stands in brackets, as in `items[0].price`.
    package static func isWithoutIndexes(_ text: String) -> Bool { withoutBrackets(text) == nil }

    /// Returns a text with dots around each index instead of brackets; nil for a text without such an index.
    private static func withoutBrackets(_ text: String) -> String? {
        var (path, rest, isFound) = ("", text[...], false)
        while let open = rest.firstIndex(of: "["), let close = rest[open...].firstIndex(of: "]") {
            let index = rest[rest.index(after: open)..<close]
            let isIndex = index.isEmpty || index == "*" || index.allSatisfy { ("0"..."9").contains($0) }
            let after = rest.index(after: close)
            guard isIndex else {
                path += rest[..<after]
                rest = rest[after...]
                continue
            }
            isFound = true
            path += rest[..<open]
            if !path.isEmpty, !path.hasSuffix(".") { path += "." }
            path += index.isEmpty || index == "*" ? "0" : index
            rest = rest[after...]
            if let next = rest.first, next != "." { path += "." }
        }
        return isFound ? path + rest : nil
    }

    private init() {
        components = []
    }

    /// The path to the value itself.
    package static let root = JSONPath()
}

extension JSONPath: CustomStringConvertible {
    /// The path as it is written.
    public var description: String { components.joined(separator: ".") }
}

extension JSONValue {
    /// The value that a path leads to, if it leads to one.
    package subscript(path: JSONPath) -> JSONValue? {
        var value = self
        for component in path.components {
            guard let inner = value.child(component) else { return nil }
            value = inner
        }
        return value
    }

    /// The array that the first of some paths leads to; nil when none of them does.
    package func firstArray(at paths: [JSONPath]) -> [JSONValue]? { paths.lazy.compactMap { self[$0]?.array }.first }

    /// The member of an object, or the element of an array by its index.
    package func child(_ component: String) -> JSONValue? {
        switch self {
        case .object(let object):
            object[component]
        case .array(let elements):
            Int(component).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
        default:
            nil
        }
    }
}

extension JSONParser {
    /// The place of the array that the first of some paths leads to, without a tree of the text; all around it is
    /// checked.
    /// - Returns: nil when none of them does, or when one leads through an array.
    /// - Throws: `JSONSyntaxError` for a fault outside of the array.
    package func arrayRange(at paths: [JSONPath], in bytes: [UInt8]) throws(JSONSyntaxError) -> Range<Int>? {
        paths: for path in paths {
            var (range, others) = (bytes.indices, [Range<Int>]())
            for component in path.components {
                guard let first = firstByte(of: bytes, in: range), first == UInt8(ascii: "{") else {
                    if firstByte(of: bytes, in: range) == UInt8(ascii: "[") { return nil }
                    continue paths
                }
                let members = try parseMemberRanges(bytes, in: range)
                guard let found = members.firstIndex(where: { ExactKey.same($0.key, component) }) else {
                    continue paths
                }
                for (position, member) in members.enumerated() where position != found { others.append(member.range) }
                range = members[found].range
            }
            guard firstByte(of: bytes, in: range) == UInt8(ascii: "[") else { continue }
            for other in others { _ = try parse(bytes, in: other) }
            return range
        }
        return nil
    }

    /// The first byte behind white space and a byte order mark.
    private func firstByte(of bytes: [UInt8], in range: Range<Int>) -> UInt8? {
        bytes[range].first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
    }
}
