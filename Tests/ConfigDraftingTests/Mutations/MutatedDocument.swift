internal import JSON

/// A document of a real catalogue with the values of its items, and the text that changed items make of it.
enum MutatedDocument {
    case json(JSONValue, items: [String])
    /// The names of the columns.
    case table([String], items: [JSONValue], delimiter: String)
    case xml(before: String, items: [JSONValue], name: String, after: String)

    init(_ text: String, name: String, reading: PlainReading) throws {
        if name.hasSuffix("sv") {
            let delimiter = name.hasSuffix(".tsv") ? "\t" : ","
            let rows = PlainTable.rows(text, delimiter)
            let items = rows.dropFirst().map { row in
                JSONValue.object(JSONObject(zip(rows[0], row).filter { $1 != "" }.map { ($0, .string($1)) }))
            }
            self = .table(rows[0], items: items, delimiter: delimiter)
        } else if name.hasSuffix(".xml") {
            let element = text.contains("<item>") ? "item" : "product"
            var reader = PlainXML(text)
            let (before, items, after) = reader.items(named: element)
            self = .xml(before: before, items: items, name: element, after: after)
        } else {
            self = .json(
                try JSONParser().parse(Array(text.utf8)), items: reading.items.split(separator: ".").map(String.init))
        }
    }

    var items: [JSONValue] {
        switch self {
        case .json(let document, let path):
            PlainReading.values(path.joined(separator: "."), in: document).first?.array ?? []
        case .table(_, let items, _), .xml(_, let items, _, _): items
        }
    }

    /// The text with other items, and the values that a reader of the text finds in them.
    func text(of items: [JSONValue]) -> (text: [UInt8], items: [JSONValue]) {
        switch self {
        case .json(let document, let path):
            return (Self.replaced(document, at: path[...], by: .array(items)).encoded(), items)
        case .table(var names, _, let delimiter):
            for name in items.flatMap({ $0.object?.keys ?? [] }) where !names.contains(name) { names.append(name) }
            let rows = items.map { item in names.map { PlainTable.text(item.object?[$0]) } }
            let text = ([names] + rows).map { row in
                row.map { PlainTable.cell($0, delimiter) }.joined(separator: delimiter) + "\n"
            }
            let values = rows.map { row in
                JSONValue.object(JSONObject(zip(names, row).filter { $1 != "" }.map { ($0, .string($1)) }))
            }
            return (Array(text.joined().utf8), values)
        case .xml(let before, _, let name, let after):
            let text = items.map { item in
                PlainXML.text(item.object == nil ? .object(["#text": .string(PlainTable.text(item))]) : item, name)
            }
            var reader = PlainXML("<x>" + text.joined() + "</x>")
            return (Array((before + text.joined() + after).utf8), reader.items(named: name).items)
        }
    }

    private static func replaced(_ value: JSONValue, at path: ArraySlice<String>, by items: JSONValue) -> JSONValue {
        guard let name = path.first, case .object(var object) = value else { return items }
        object[name] = object[name].map { replaced($0, at: path.dropFirst(), by: items) }
        return .object(object)
    }
}

/// Reads and writes cells by RFC 4180.
enum PlainTable {
    static func rows(_ text: String, _ delimiter: String) -> [[String]] {
        var (rows, row, cell, isQuoted): ([[String]], [String], String, Bool) = ([], [], "", false)
        let scalars = Array(text.unicodeScalars)
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            if isQuoted {
                if scalar == "\"", index + 1 < scalars.count, scalars[index + 1] == "\"" {
                    cell += "\""
                    index += 1
                } else if scalar == "\"" {
                    isQuoted = false
                } else {
                    cell.unicodeScalars.append(scalar)
                }
            } else if scalar == "\"", cell.isEmpty {
                isQuoted = true
            } else if String(scalar) == delimiter {
                row.append(cell)
                cell = ""
            } else if scalar == "\n" {
                rows.append(row + [cell])
                (row, cell) = ([], "")
            } else if scalar != "\r" {
                cell.unicodeScalars.append(scalar)
            }
            index += 1
        }
        return row.isEmpty && cell.isEmpty ? rows : rows + [row + [cell]]
    }

    static func text(_ value: JSONValue?) -> String {
        switch value {
        case nil, .null: ""
        case .string(let text): text
        case let value?: String(decoding: value.encoded(), as: UTF8.self)
        }
    }

    static func cell(_ text: String, _ delimiter: String) -> String {
        let needsQuotes = text.unicodeScalars.contains {
            "\"\r\n".unicodeScalars.contains($0) || String($0) == delimiter
        }
        return needsQuotes ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
    }
}
