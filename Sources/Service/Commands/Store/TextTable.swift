/// Cells in columns, for a terminal.
struct TextTable {
    /// A column's title, and on which side its cells begin.
    struct Column {
        let title: String
        var isNumber = false
    }

    let columns: [Column]
    let rows: [[String]]

    /// One line a row, the titles first.
    var text: String {
        let lines = [columns.map(\.title)] + rows
        let widths = columns.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            let cells = columns.indices.map { Self.padded(line[$0], to: widths[$0], columns[$0].isNumber) }
            return Self.trimmed(cells.joined(separator: "  ")) + "\n"
        }.joined()
    }

    private static func padded(_ cell: String, to width: Int, _ isNumber: Bool) -> String {
        let gap = String(repeating: " ", count: width - cell.count)
        return isNumber ? gap + cell : cell + gap
    }

    private static func trimmed(_ line: String) -> Substring {
        var line = line[...]
        while line.last == " " { line.removeLast() }
        return line
    }
}
