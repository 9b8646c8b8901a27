/// Text for HTML and SVG.
enum HTMLText {
    /// The text so that it is text and nothing else, within elements and within quoted attributes.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t", "\n", "\r": result += " "
            case "\u{0}"..<" ", "\u{7f}"..<"\u{a0}": result += "\u{fffd}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The beginning of a text that is too long, escaped.
    static func escaped(_ text: String, upTo length: Int) -> String {
        escaped(text.count > length ? text.prefix(length - 1) + "…" : text)
    }
}
