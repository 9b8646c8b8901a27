/// A part of an index that can be made before anybody wants it.
protocol PreparablePart: Sendable {
    /// Whether anybody has wanted it. To have prepared it does not count.
    var isWanted: Bool { get }

    /// Whether it has been made.
    var isMade: Bool { get }

    /// Roughly how many bytes it takes; 0 before it is made.
    var byteCount: Int { get }

    /// Makes it, unless it is made already.
    func prepare()
}
