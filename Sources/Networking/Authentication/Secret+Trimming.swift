internal import Configuration

extension Secret {
    /// The secret without white space around it, which editors and shells leave in files.
    var trimmed: Secret {
        let text = reveal().drop(while: \.isWhitespace)
        return Secret(String(text.dropLast(text.reversed().prefix(while: \.isWhitespace).count)))
    }
}
