/// How the practice upstream misbehaves.
enum PracticeFault: Sendable, Hashable {
    /// Not at all.
    case none
    /// Closes the connection without an answer.
    case down
    /// Resets the connection.
    case reset
    /// Never answers.
    case hang
    /// Answers late, but whole.
    case slow
    /// Answers with this status.
    case status(Int)
    /// Announces the whole body, sends half of it and closes.
    case truncate
    /// Answers 200 with a page for people.
    case html
    /// Answers with a catalogue without products.
    case empty
    /// Answers with fewer than half of the products.
    case shrink

    private static let named: [String: PracticeFault] = [
        "none": .none, "down": .down, "reset": .reset, "hang": .hang, "slow": .slow, "truncate": .truncate,
        "html": .html, "empty": .empty, "shrink": .shrink,
    ]

    /// The values of `?mode=`.
    static let modes = "none down reset hang slow status=503 truncate html empty shrink"

    /// The fault of a mode; `nil` when there is no such mode.
    init?(mode: String) {
        if let named = Self.named[mode] {
            self = named
        } else if mode.hasPrefix("status="), let status = Int(mode.dropFirst(7)), (200...599).contains(status) {
            self = .status(status)
        } else {
            return nil
        }
    }

    /// The mode that stands for it.
    var mode: String {
        if case .status(let status) = self { return "status=\(status)" }
        return Self.named.first { $0.value == self }?.key ?? "none"
    }
}
