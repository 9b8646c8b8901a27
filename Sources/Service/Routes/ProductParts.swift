internal import HTTPServer
internal import Locks

/// The answers with one product each, which are parts of the answer with all of them.
///
/// Each is made when it is first asked for, and kept: its tag is a hash, which costs more than the rest of an answer.
final class ProductParts: Sendable {
    private let whole: HTTPBody
    private let ranges: [Range<Int>]
    /// Up to here a hash takes less than a tenth of a millisecond.
    private static let quickSize = 64 << 10
    /// By position. Empty until somebody asks for one, since often nobody does.
    private let made = Mutex<[Representation?]>([])

    /// - Parameter ranges: where in the body each product stands.
    init(of whole: HTTPBody, ranges: [Range<Int>]) {
        self.whole = whole
        self.ranges = ranges
    }

    /// The answer with the product at a position of the catalogue. Take it off the event loops, unless it is small.
    subscript(position: Int) -> Representation {
        if let known = known(position) { return known }
        let part = Representation(body: whole.slice(ranges[position]))
        made.withLock { made in
            if made.isEmpty { made = Array(repeating: nil, count: ranges.count) }
            made[position] = part
        }
        return part
    }

    /// The same, if it has been made or is made in no time.
    func kept(_ position: Int) -> Representation? {
        ranges[position].count <= Self.quickSize ? self[position] : known(position)
    }

    private func known(_ position: Int) -> Representation? {
        made.withLock { $0.isEmpty ? nil : $0[position] }
    }
}
