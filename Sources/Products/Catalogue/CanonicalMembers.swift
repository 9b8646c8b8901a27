internal import JSON

/// The members of an object on a tape, by the numbers of their names.
struct CanonicalMembers {
    /// The entries of the members that some kind names; -1 for none.
    private(set) var places = InlineArray<64, Int32>(repeating: -1)
    /// The numbers of the names that were found, as bits.
    private(set) var found: UInt64 = 0
    /// Whether there are members that no kind names.
    private(set) var hasOthers = false
    /// The numbers of the members' names, in their order; -1 for one that no kind names.
    private var numbers = InlineArray<64, Int8>(repeating: -1)

    init(of entry: Int, _ tape: borrowing JSONTape, _ text: Span<UInt8>, _ shapes: ProductShapes) {
        var (place, position) = (entry + 1, 0)
        while place < tape.entries[entry].next {
            if let number = shapes.number(of: tape.entries[place], text) {
                places[number] = Int32(truncatingIfNeeded: place)
                numbers[position] = Int8(truncatingIfNeeded: number)
                found |= 1 << UInt64(number)
            } else {
                hasOthers = true
            }
            (place, position) = (tape.entries[place].next, position + 1)
        }
    }

    /// Whether a shape names the member at a position.
    func isKnown(_ position: Int, to shape: ProductShape) -> Bool {
        numbers[position] >= 0 && shape.known & 1 << UInt64(numbers[position]) != 0
    }
}
