internal import Configuration
internal import FoundationEssentials
internal import JSON
internal import Persistence
internal import Products
internal import Text

/// The contents of a store, as text and as JSON.
struct StoreReport: Sendable {
    let name: String
    let path: String
    /// Whether the store's directory exists; the first save makes it.
    let isThere: Bool
    let contents: ArchiveContents
    /// The time at which the store was read.
    let time: Date

    init(_ store: ConfiguredStore, at time: Date) throws(CommandFailure) {
        name = store.name
        path = store.archive.path
        isThere = store.archive.isThere
        self.time = time
        contents = try store.read { archive throws(GenerationArchiveError) in try archive.contents() }
    }

    /// The generations that cannot be used, except those of a newer version.
    var lost: [StoredGeneration] {
        contents.generations.filter { $0.condition == .damaged || $0.condition == .unreadable }
    }

    /// A table of the generations below the store's name.
    var table: String {
        let rows = contents.generations.map(row)
        let table = rows.isEmpty ? "no generations\n" : TextTable(columns: Self.columns, rows: rows).text
        return "\(name): \(path)\n" + table + movedAside
    }

    /// A line per generation.
    var lines: String {
        let lines = contents.generations.map { "\($0.path): \($0.fault ?? "ok")\n" }
        return (lines.isEmpty ? "\(path): no generations\n" : lines.joined()) + movedAside
    }

    private static let columns: [TextTable.Column] = [
        .init(title: "GENERATION", isNumber: true), .init(title: "FETCHED"), .init(title: "AGE", isNumber: true),
        .init(title: "PRODUCTS", isNumber: true), .init(title: "BYTES", isNumber: true), .init(title: "SOURCE"),
        .init(title: "STATE"),
    ]

    private func row(_ generation: StoredGeneration) -> [String] {
        let statement = generation.statement
        return [
            "\(generation.number)", statement?.fetchedAt.formatted(.iso8601) ?? "-",
            statement.map { DurationText.format(.seconds(age(of: $0))) } ?? "-",
            statement.map { "\($0.products)" } ?? "-", "\(generation.size)", statement?.source.rawValue ?? "-",
            generation.fault ?? (generation.number == contents.pin?.generation ? "ok, pinned" : "ok"),
        ]
    }

    private var movedAside: String {
        contents.movedAside.map { "\(path)/\($0): moved aside because it was damaged\n" }.joined()
    }

    /// The age in whole seconds, never negative.
    private func age(of statement: StoredGeneration.Statement) -> Int {
        Int(max(0, time.timeIntervalSince(statement.fetchedAt)))
    }

    /// The report for scripts.
    var json: JSONValue {
        var report: JSONObject = [
            "store": .string(name), "directory": .string(path),
            "generations": .array(contents.generations.map { .object(json(of: $0)) }),
            "moved_aside": .array(contents.movedAside.map { .string($0) }),
        ]
        report["pinned"] = contents.pin.map { .number(JSONNumber($0.generation)) }
        return .object(report)
    }

    private func json(of generation: StoredGeneration) -> JSONObject {
        var json: JSONObject = [
            "generation": .number(JSONNumber(generation.number)), "path": .string(generation.path),
            "bytes": .number(JSONNumber(generation.size)), "state": .string(Self.word(for: generation.condition)),
        ]
        json["fault"] = generation.fault.map { .string($0) }
        guard let statement = generation.statement else { return json }
        json["fetched_at"] = .string(statement.fetchedAt.formatted(.iso8601))
        json["age_seconds"] = .number(JSONNumber(age(of: statement)))
        json["products"] = .number(JSONNumber(statement.products))
        json["source"] = .string(statement.source.rawValue)
        json["sha256"] = .string(statement.sha256)
        return json
    }

    private static func word(for condition: StoredGeneration.Condition) -> String {
        switch condition {
        case .good: "ok"
        case .damaged: "damaged"
        case .newerFormat: "newer_format"
        case .unreadable: "unreadable"
        }
    }
}

/// Cells in columns, for a terminal.
struct TextTable {
    struct Column {
        let title: String
        /// Whether its cells are aligned to the right.
        var isNumber = false
    }

    let columns: [Column]
    let rows: [[String]]

    /// A line per row, the titles first.
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
        line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)]
    }
}
