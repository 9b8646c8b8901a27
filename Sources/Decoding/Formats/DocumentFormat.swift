internal import JSON
internal import Text

/// The format of an upstream's document.
package enum DocumentFormat: String, Sendable, CaseIterable {
    case json
    /// One value in JSON on each line.
    case jsonl
    /// RFC 4180, with a header.
    case csv
    /// A table like `csv` with tabs between the cells.
    case tsv
    case xml

    /// The name in messages.
    var name: String { rawValue.uppercased() }
}

/// Turns a document of another format into an array of items in JSON, so that everything behind it reads one format.
struct DocumentReader: Sendable {
    let format: DocumentFormat
    /// The byte between the cells of a line of `csv`.
    var delimiter = UInt8(ascii: ",")
    /// The names of the elements that lead to an item of `xml`, from the root, with the item's own.
    var elements: [String] = []
    /// The places within an item of `xml` that are lists, by the names that lead there, even with one element.
    var lists: Set<[String]> = []

    /// - Throws: `DocumentFault` for the first place that is not of the format.
    func items(of document: [UInt8]) throws(DocumentFault) -> DocumentItems {
        switch format {
        case .json: DocumentItems(array: document)
        case .jsonl: try JSONLines.items(of: document)
        case .csv: try DelimitedText.items(of: document, delimiter: delimiter)
        case .tsv: try DelimitedText.items(of: document, delimiter: UInt8(ascii: "\t"))
        case .xml: try XMLItems(elements, lists: lists, limit: DocumentItems.limit(for: document)).read(document)
        }
    }
}

/// The first fault of a document, and its place.
struct DocumentFault: Error, Hashable, CustomStringConvertible {
    /// From 1.
    let line: Int
    /// The character of the line, from 1.
    let column: Int
    let reason: String

    var description: String { "line \(line), column \(column): \(reason)" }
}

/// The items of a document as an array in JSON, with their lines in the document.
struct DocumentItems: Sendable {
    /// The array.
    private(set) var json: [UInt8]
    /// The line of each item, from 1; empty where the document is JSON itself.
    private(set) var lines: [Int] = []
    /// Reasons why items, by their index, cannot be read; each stands as null in the array.
    private(set) var faults: [Int: String] = [:]

    private let limit: Int

    /// The length of the array beyond which a document is refused. Each row of a table repeats the names in the header,
    /// so a few long names could turn megabytes into gigabytes.
    static func limit(for document: [UInt8]) -> Int { 1 << 20 + 16 * document.count }

    init(limit: Int) {
        (json, self.limit) = ([UInt8(ascii: "[")], limit)
    }

    fileprivate init(array: [UInt8]) {
        (json, limit) = (array, array.count)
    }

    /// Appends an item.
    /// - Parameter write: writes one value.
    mutating func append(at line: Int, _ write: (inout [UInt8]) -> Void) throws(DocumentFault) {
        if !lines.isEmpty { json.append(UInt8(ascii: ",")) }
        lines.append(line)
        write(&json)
        guard json.count <= limit else {
            throw DocumentFault(line: line, column: 1, reason: "the items are over 16 times as long as the document")
        }
    }

    /// Appends an item that cannot be read.
    mutating func append(fault: String, at line: Int) throws(DocumentFault) {
        faults[lines.count] = fault
        try append(at: line) { $0 += "null".utf8 }
    }

    consuming func closed() -> DocumentItems {
        json.append(UInt8(ascii: "]"))
        return self
    }
}

/// Reads JSON lines: one value a line. Blank lines are skipped.
private enum JSONLines {
    static func items(of document: [UInt8]) throws(DocumentFault) -> DocumentItems {
        var items = DocumentItems(limit: DocumentItems.limit(for: document))
        var (start, line) = (DocumentText.start(of: document), 1)
        while start < document.count {
            let end = document[start...].firstIndex(of: UInt8(ascii: "\n")) ?? document.count
            let value = document[start..<end]
            if value.contains(where: { !" \t\r".utf8.contains($0) }) {
                do throws(JSONSyntaxError) {
                    _ = try JSONParser().parse(document, in: start..<end)
                } catch {
                    throw DocumentFault(line: error.line, column: error.column, reason: "\(error.reason)")
                }
                try items.append(at: line) { $0 += value }
            }
            (start, line) = (end + 1, line + 1)
        }
        guard !items.lines.isEmpty else { throw DocumentText.fault(expecting: "an item", atStartOf: document) }
        return items.closed()
    }
}

/// The text of a document in UTF-8.
enum DocumentText {
    /// The fault of a document that begins otherwise than its format does.
    static func fault(expecting expected: String, atStartOf document: [UInt8]) -> DocumentFault {
        let text = String(decoding: document[start(of: document)...].prefix(200), as: UTF8.self)
        let found = text.split(separator: "\n").first.map { JSONString.quoted("\(TextExcerpt(String($0), limit: 40))") }
        return DocumentFault(line: 1, column: 1, reason: "expected \(expected), found \(found ?? "nothing")")
    }

    /// The offset behind a byte order mark.
    static func start(of document: [UInt8]) -> Int { document.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

    /// The fault at an offset.
    static func fault(_ reason: String, at offset: Int, of document: [UInt8]) -> DocumentFault {
        let before = document[start(of: document)...].prefix(upTo: max(offset, start(of: document)))
        let rest = before.lastIndex(of: UInt8(ascii: "\n")).map { before[($0 + 1)...] } ?? before
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        return DocumentFault(line: line, column: rest.count { $0 & 0xC0 != 0x80 } + 1, reason: reason)
    }

    /// - Throws: `DocumentFault` for the first bytes that are not UTF-8.
    static func check(_ document: [UInt8]) throws(DocumentFault) {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: document.span)
        } catch {
            throw fault("bytes that are not UTF-8", at: error.byteOffsets.lowerBound, of: document)
        }
    }
}
