internal import Text

/// Writes values as JSON without white space, in UTF-8, escaping only what must be escaped.
package enum JSONWriter {
    package static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let number): bytes.append(contentsOf: number.literal.utf8)
        case .string(let string): append(string, to: &bytes)
        case .array(let elements): append(elements, to: &bytes)
        case .object(let object): append(object, to: &bytes)
        }
    }

    package static func append(_ object: JSONObject, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for member in object.members {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            append(member.key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            append(member.value, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends a string, in quotes.
    package static func append(_ string: String, to bytes: inout [UInt8]) {
        JSONString.append(string, to: &bytes)
    }

    private static func append(_ elements: [JSONValue], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            append(element, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }
}
