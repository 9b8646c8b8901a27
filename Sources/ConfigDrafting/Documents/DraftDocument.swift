internal import Decoding
internal import JSON
internal import Text

/// A document that a config is drafted from: its content in JSON, and the entries of `decode` for its format.
struct DraftDocument {
    let value: JSONValue
    let format: DocumentFormat
    /// The path to the repeated element of XML.
    let elements: String?
    private let delimiter: Character

    /// - Parameter items: the stated path to the items.
    /// - Throws: `DraftProblem.failure` for a document of no known format.
    init(_ body: [UInt8], items: String?) throws(DraftProblem) {
        let text = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body[...]
        let first = text.first { !" \t\r\n".utf8.contains($0) }
        let line = text.prefix { $0 != UInt8(ascii: "\n") }
        let table = [UInt8(ascii: "\t"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|")].map { mark in
            (mark: mark, count: line.count { $0 == mark })
        }.max { $0.count < $1.count }
        (elements, delimiter) = try Self.place(first, text, table?.mark, items)
        switch first {
        case UInt8(ascii: "<"): format = .xml
        case UInt8(ascii: "{") where Self.isLines(text), UInt8(ascii: "[") where Self.isLines(text): format = .jsonl
        case UInt8(ascii: "{"), UInt8(ascii: "["): format = .json
        default:
            guard let table, table.count > 0 else {
                format = .json
                break
            }
            format = table.mark == UInt8(ascii: "\t") ? .tsv : .csv
        }
        value = try Self.read(body, format, delimiter, elements)
    }

    /// The first entries of `decode`.
    var lines: [String] {
        if format == .json { return [] }
        return ["format: \(format.rawValue)"]
            + (format == .csv && delimiter != "," ? ["delimiter: \(JSONString.quoted(String(delimiter)))"] : [])
    }

    /// Returns the path of the items in XML, and the delimiter of the cells of a table.
    private static func place(
        _ first: UInt8?, _ text: ArraySlice<UInt8>, _ mark: UInt8?, _ items: String?
    ) throws(DraftProblem) -> (String?, Character) {
        let delimiter = mark.map { Character(UnicodeScalar($0)) } ?? ","
        guard first == UInt8(ascii: "<") else { return (nil, delimiter) }
        let start = String(decoding: text.prefix(100), as: UTF8.self).lowercased().drop(while: \.isWhitespace)
        if ["<html", "<!doctype html"].contains(where: start.hasPrefix) {
            throw .failure("a page of HTML, neither JSON nor a table or XML")
        }
        if let items { return (items, delimiter) }
        return (try RepeatedElement.path(in: String(decoding: text, as: UTF8.self)), delimiter)
    }

    private static func read(
        _ body: [UInt8], _ format: DocumentFormat, _ delimiter: Character, _ elements: String?
    ) throws(DraftProblem) -> JSONValue {
        let mapping = CatalogueMapping(
            format: format, delimiter: format == .csv ? delimiter.asciiValue : nil,
            items: elements.flatMap { JSONPath($0) })
        let json: [UInt8]
        do {
            json = try MappedCatalogueFormat(mapping: mapping).json(of: body)
        } catch { throw .failure("\(error)") }
        do {
            return try JSONParser().parse(json)
        } catch {
            let start = String(decoding: body.prefix(60), as: UTF8.self).printable
            throw .failure("neither JSON nor a table or XML: \(error); it begins with \"\(start)\"")
        }
    }

    /// Whether the first line is a JSON value by itself, and other lines follow.
    private static func isLines(_ text: ArraySlice<UInt8>) -> Bool {
        guard let end = text.firstIndex(of: UInt8(ascii: "\n")),
            text[end...].contains(where: { !" \t\r\n".utf8.contains($0) })
        else { return false }
        return (try? JSONParser().parse(Array(text[..<end]))) != nil
    }
}

/// Finds the element of an XML document that is repeated for each product, by its tags alone.
private enum RepeatedElement {
    private struct Found {
        var count = 0
        var children: Set<Substring> = []
    }

    private static let names: Set = ["item", "product", "entry", "offer", "article", "row", "record"]

    static func path(in text: String) throws(DraftProblem) -> String {
        var (open, found, order): ([Substring], [[Substring]: Found], [[Substring]]) = ([], [:], [])
        var rest = text[...]
        while let start = rest.firstIndex(of: "<") {
            rest = rest[start...]
            if let end = skipped(rest) {
                rest = rest[end...]
                continue
            }
            guard let end = rest.firstIndex(of: ">") else { break }
            let tag = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[end...]
            if tag.hasPrefix("/") {
                _ = open.popLast()
                continue
            }
            let name = tag.prefix { !$0.isWhitespace && $0 != "/" }
            if !open.isEmpty { found[open]?.children.insert(name) }
            open.append(name)
            if found[open] == nil { order.append(open) }
            found[open, default: Found()].count += 1
            if tag.hasSuffix("/") { open.removeLast() }
        }
        let candidates = order.filter { found[$0]?.children.count ?? 0 >= 2 }.sorted { $0.count < $1.count }
        let path =
            candidates.first { names.contains($0.last?.lowercased() ?? "") }
            ?? candidates.first { found[$0]?.count ?? 0 > 1 }
        guard let path else {
            throw .question(
                DraftQuestion(
                    "items", "no element of the XML looks like a product",
                    candidates.map { ($0.joined(separator: "."), "\(found[$0]?.count ?? 0) elements") }, example: "PATH"
                ))
        }
        return path.joined(separator: ".")
    }

    /// The end of a comment, a declaration or a section of characters.
    private static func skipped(_ text: Substring) -> String.Index? {
        for (start, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")]
        where text.hasPrefix(start) {
            return text.firstRange(of: end)?.upperBound ?? text.endIndex
        }
        return nil
    }
}
