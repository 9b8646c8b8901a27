internal import Text

/// Reads the rows of a table by RFC 4180: cells between delimiters, where quotes hold what would end a cell.
///
/// The first row is the header, whose cells name the members of the items. Each cell is a text; an empty one is no member.
/// Rows without any byte are skipped.
struct DelimitedText {
    private static let quote = UInt8(ascii: "\"")
    private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

    private let bytes: [UInt8]
    private let delimiter: UInt8
    private var index: Int
    private var line = 1
    /// The text of the current row without quotes, cell after cell.
    private var text: [UInt8] = []
    /// The end of each cell in the text.
    private var ends: [Int] = []

    private init(_ bytes: [UInt8], delimiter: UInt8) {
        (self.bytes, self.delimiter) = (bytes, delimiter)
        index = DocumentText.start(of: bytes)
    }

    static func items(of document: [UInt8], delimiter: UInt8) throws(DocumentFault) -> DocumentItems {
        try DocumentText.check(document)
        var table = DelimitedText(document, delimiter: delimiter)
        let names = try table.header()
        var items = DocumentItems(limit: DocumentItems.limit(for: document))
        while let line = try table.nextRow() {
            if table.ends.count == names.count {
                try items.append(at: line) { table.appendObject(names, to: &$0) }
            } else {
                try items.append(fault: "\(table.ends.count) cells, and the header has \(names.count)", at: line)
            }
        }
        return items.closed()
    }

    /// Reads the header.
    /// - Returns: the names, as they stand in JSON before a value.
    private mutating func header() throws(DocumentFault) -> [[UInt8]] {
        let start = index
        if let first = bytes[start...].first(where: { !" \t\r\n".utf8.contains($0) }), "<{[".utf8.contains(first) {
            throw DocumentText.fault(expecting: "a header", atStartOf: bytes)
        }
        guard try nextRow() != nil else { throw DocumentText.fault(expecting: "a header", atStartOf: bytes) }
        var (names, positions): ([[UInt8]], [String: Int]) = ([], [:])
        for column in ends.indices {
            let name = cell(column)
            if name.isEmpty { throw fault("column \(column + 1) of the header has no name", at: start) }
            if let other = positions.updateValue(column + 1, forKey: name) {
                let text = JSONString.quoted("\(TextExcerpt(name))")
                throw fault("columns \(other) and \(column + 1) are both named \(text)", at: start)
            }
            names.append(Array("\(JSONString.quoted(name)):".utf8))
        }
        return names
    }

    private func appendObject(_ names: [[UInt8]], to json: inout [UInt8]) {
        json.append(UInt8(ascii: "{"))
        var isFirst = true
        for (column, name) in names.enumerated() where !isEmpty(column) {
            if !isFirst { json.append(UInt8(ascii: ",")) }
            isFirst = false
            json += name
            JSONString.append(cell(column), to: &json)
        }
        json.append(UInt8(ascii: "}"))
    }

    private func start(of column: Int) -> Int { column == 0 ? 0 : ends[column - 1] }

    private func isEmpty(_ column: Int) -> Bool { start(of: column) == ends[column] }

    private func cell(_ column: Int) -> String {
        String(decoding: text[start(of: column)..<ends[column]], as: UTF8.self)
    }

    private func fault(_ reason: String, at offset: Int) -> DocumentFault {
        DocumentText.fault(reason, at: offset, of: bytes)
    }

    /// Reads the next row.
    /// - Returns: its first line; nil behind the last row.
    private mutating func nextRow() throws(DocumentFault) -> Int? {
        while try passLineEnd() {}
        guard index < bytes.count else { return nil }
        let first = line
        text.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        while true {
            if index < bytes.count, bytes[index] == Self.quote { try readQuoted() } else { try readPlain() }
            ends.append(text.count)
            guard index < bytes.count, bytes[index] == delimiter else { break }
            index += 1
        }
        _ = try passLineEnd()
        return first
    }

    /// Passes a line feed, with a carriage return before it.
    /// - Returns: whether there was one.
    private mutating func passLineEnd() throws(DocumentFault) -> Bool {
        guard index < bytes.count else { return false }
        if bytes[index] == Self.carriageReturn {
            guard index + 1 < bytes.count, bytes[index + 1] == Self.lineFeed else {
                throw fault("a carriage return without a line feed", at: index)
            }
            index += 1
        }
        guard bytes[index] == Self.lineFeed else { return false }
        (index, line) = (index + 1, line + 1)
        return true
    }

    private mutating func readPlain() throws(DocumentFault) {
        let start = index
        while index < bytes.count {
            let byte = bytes[index]
            if byte == delimiter || byte == Self.lineFeed || byte == Self.carriageReturn { break }
            // Between tabs, inches and the like are usual.
            if byte == Self.quote, delimiter != UInt8(ascii: "\t") {
                throw fault("a quote within a cell that does not begin with one", at: index)
            }
            index += 1
        }
        text += bytes[start..<index]
    }

    private mutating func readQuoted() throws(DocumentFault) {
        let (start, first) = (index, line)
        var hasTab = false
        index += 1
        while true {
            guard index < bytes.count else { throw fault("no quote closes this one", at: start) }
            let byte = bytes[index]
            index += 1
            if byte == Self.quote {
                guard index < bytes.count, bytes[index] == Self.quote else { break }
                index += 1
            }
            if byte == Self.lineFeed { line += 1 }
            if byte == UInt8(ascii: "\t") { hasTab = true }
            text.append(byte)
        }
        guard index == bytes.count || [delimiter, Self.lineFeed, Self.carriageReturn].contains(bytes[index]) else {
            throw fault("expected the end of the cell behind a closing quote", at: index)
        }
        // In text separated by tabs a quote may be an inch sign; as a delimiter it would join two items.
        if delimiter == UInt8(ascii: "\t"), hasTab, line > first {
            throw fault("the quotes of a cell hold a tab and a line end", at: start)
        }
    }
}
