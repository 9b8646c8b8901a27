internal import JSON

/// Reads the part of XML that real feeds have, as values: attributes as `@name`, and a text beside them as `#text`.
struct PlainXML {
    private let text: String
    private var rest: Substring

    init(_ text: String) { (self.text, rest) = (text, text[...]) }

    /// Returns the elements of a name, and the text before and behind all of them.
    mutating func items(named name: String) -> (before: String, items: [JSONValue], after: String) {
        var (items, first, last): ([JSONValue], String.Index?, String.Index?) = ([], nil, nil)
        while let start = rest.firstRange(of: "<\(name)>")?.lowerBound ?? rest.firstRange(of: "<\(name) ")?.lowerBound {
            first = first ?? start
            rest = rest[start...]
            items.append(element().value ?? .object([:]))
            last = rest.startIndex
        }
        return (String(text[..<(first ?? text.endIndex)]), items, String(text[(last ?? text.endIndex)...]))
    }

    /// Reads the element that the rest begins with.
    private mutating func element() -> (name: String, value: JSONValue?) {
        rest.removeFirst()
        let name = String(rest.prefix { !" \n\t/>".contains($0) })
        rest = rest.dropFirst(name.count)
        var members: [(String, JSONValue)] = []
        while let character = rest.drop(while: \.isWhitespace).first, character != ">", character != "/" {
            rest = rest.drop(while: \.isWhitespace)
            let attribute = String(rest.prefix { $0 != "=" })
            rest = rest.dropFirst(attribute.count + 2)
            let value = rest.prefix { $0 != "\"" }
            rest = rest.dropFirst(value.count + 1)
            members.append(("@\(attribute)", .string(Self.unescaped(value))))
        }
        rest = rest.drop(while: \.isWhitespace)
        var text = ""
        if rest.hasPrefix("/>") {
            rest = rest.dropFirst(2)
        } else {
            rest.removeFirst()
            while !rest.isEmpty, !rest.hasPrefix("</") {
                if rest.hasPrefix("<![CDATA[") {
                    let end = rest.firstRange(of: "]]>")
                    text += rest[rest.index(rest.startIndex, offsetBy: 9)..<(end?.lowerBound ?? rest.endIndex)]
                    rest = rest[(end?.upperBound ?? rest.endIndex)...]
                } else if rest.first == "<" {
                    let child = element()
                    if let value = child.value { members.append((child.name, value)) }
                } else {
                    let part = rest.prefix { $0 != "<" }
                    text += Self.unescaped(part)
                    rest = rest.dropFirst(part.count)
                }
            }
            rest = rest.drop { $0 != ">" }.dropFirst()
        }
        return (name, Self.value(members, text))
    }

    private static func value(_ members: [(String, JSONValue)], _ text: String) -> JSONValue? {
        let scalars = Array(text.unicodeScalars)
        let isSpace = { (scalar: Unicode.Scalar) in " \t\r\n".unicodeScalars.contains(scalar) }
        let start = scalars.drop(while: isSpace)
        let kept = start.lastIndex { !isSpace($0) }.map { start[...$0] } ?? []
        var trimmed = ""
        trimmed.unicodeScalars.append(contentsOf: kept)
        if members.isEmpty { return trimmed.isEmpty ? nil : .string(trimmed) }
        var object = JSONObject()
        for (name, value) in members {
            let others = members.filter { $0.0 == name }
            object[name] = others.count > 1 ? .array(others.map(\.1)) : value
        }
        if !trimmed.isEmpty { object["#text"] = .string(trimmed) }
        return .object(object)
    }

    private static func unescaped(_ text: Substring) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
            .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }

    /// Returns a value as an element.
    static func text(_ value: JSONValue, _ name: String) -> String {
        switch value {
        case .array(let elements): return elements.map { text($0, name) }.joined()
        case .object(let object):
            var (attributes, content) = ("", "")
            for member in object.members {
                if member.key.hasPrefix("@") {
                    attributes += " \(member.key.dropFirst())=\"\(escaped(PlainTable.text(member.value)))\""
                } else {
                    content +=
                        member.key == "#text" ? escaped(PlainTable.text(member.value)) : text(member.value, member.key)
                }
            }
            return "<\(name)\(attributes)>\(content)</\(name)>"
        case .null: return "<\(name)/>"
        case .string, .number, .bool: return "<\(name)>\(escaped(PlainTable.text(value)))</\(name)>"
        }
    }

    private static func escaped(_ text: String) -> String {
        [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")].reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}
