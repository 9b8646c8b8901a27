/// A coding path as messages show it: `[7312].price.amount`, or `root` for the value itself.
public struct CodingPathText: CustomStringConvertible {
    /// The text.
    public let description: String

    /// The text of a path.
    public init(_ path: [any CodingKey]) {
        var text = ""
        for key in path {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        description = text.isEmpty ? "root" : text
    }
}
