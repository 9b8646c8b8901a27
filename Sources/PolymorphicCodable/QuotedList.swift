/// Names as messages list them: `"circle", "square"`.
struct QuotedList: CustomStringConvertible {
    let names: [String]

    init(_ names: [String]) {
        self.names = names
    }

    var description: String {
        names.map { "\"\($0)\"" }.joined(separator: ", ")
    }
}
