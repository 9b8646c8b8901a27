internal import JSON

/// An element of an item: its attributes as `@name`, its children by name, and its text.
struct XMLElement {
    /// The member for a text beside attributes or children.
    private static let text = "#text"

    let name: String
    /// The line of the element, from 1.
    let line: Int
    /// The text, with the white space around it.
    var text: [UInt8] = []
    private var members: [(name: String, values: [JSONValue])] = []
    private var positions: [String: Int] = [:]

    init(_ name: String, line: Int) {
        (self.name, self.line) = (name, line)
    }

    /// Appends an attribute, or a child that has a value.
    mutating func append(_ value: JSONValue, _ name: String) {
        if let position = positions[name] {
            members[position].values.append(value)
        } else {
            positions[name] = members.count
            members.append((name, [value]))
        }
    }

    /// Returns the value; nil for an element with nothing in it. A text alone is a text, without the white space around it.
    /// - Parameter isList: whether a child is always a list; otherwise only one that is repeated is.
    func value(_ isList: (String) -> Bool) -> JSONValue? {
        let isSpace = { (byte: UInt8) in " \t\r\n".utf8.contains(byte) }
        let start = text.drop(while: isSpace)
        let bytes = start.lastIndex { !isSpace($0) }.map { start[...$0] } ?? []
        let text = bytes.isEmpty ? nil : JSONValue.string(String(decoding: bytes, as: UTF8.self))
        guard !members.isEmpty else { return text }
        var object = JSONObject(
            members.map { member in
                let isOne = member.values.count == 1 && !isList(member.name)
                return (member.name, isOne ? member.values[0] : .array(member.values))
            })
        if let text { object[Self.text] = text }
        return .object(object)
    }
}
