/// A coding path as messages show it: `[3].shapes.left`, or `root` for the document itself.
struct CodingPlace: CustomStringConvertible {
    let path: [any CodingKey]

    var description: String {
        var text = ""
        for key in path {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return text.isEmpty ? "root" : text
    }
}
