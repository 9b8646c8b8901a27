internal import Configuration
internal import FoundationEssentials
internal import Persistence
internal import Products

/// What is in a store, for people and for scripts.
struct StoreReport: Sendable {
    let name: String
    let path: String
    /// Whether the store's directory is there, which it is from the first save on.
    let isThere: Bool
    let contents: ArchiveContents
    /// When it was looked at.
    let time: Date

    init(_ store: ConfiguredStore, at time: Date) throws(CommandFailure) {
        name = store.name
        path = store.archive.path
        isThere = store.archive.isThere
        self.time = time
        do throws(GenerationArchiveError) {
            contents = try store.archive.contents()
        } catch {
            throw CommandFailure("larder: \(error)")
        }
    }

    /// The generations that are lost. What a newer version wrote is none of them.
    var lost: [StoredGeneration] {
        contents.generations.filter { $0.condition == .damaged || $0.condition == .unreadable }
    }

    /// A table of the generations below the store's name.
    var table: String {
        let rows = contents.generations.map(row)
        let table = rows.isEmpty ? "no generations\n" : TextTable(columns: Self.columns, rows: rows).text
        return "\(name): \(path)\n" + table + movedAside
    }

    /// A line for each generation.
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
            generation.fault ?? "ok",
        ]
    }

    private var movedAside: String {
        contents.movedAside.map { "\(path)/\($0): moved aside because it was damaged\n" }.joined()
    }

    /// In whole seconds; never negative, as ages are everywhere.
    func age(of statement: StoredGeneration.Statement) -> Int {
        Int(max(0, time.timeIntervalSince(statement.fetchedAt)))
    }
}
