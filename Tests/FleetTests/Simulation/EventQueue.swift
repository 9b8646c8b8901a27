/// Events by their times, the earliest first, in the order of insertion among equals: a binary heap.
struct EventQueue<Event> {
    private var entries: [(time: Int, number: Int, event: Event)] = []
    private var last = 0

    var isEmpty: Bool { entries.isEmpty }
    var nextTime: Int? { entries.first?.time }

    mutating func insert(_ event: Event, at time: Int) {
        last += 1
        entries.append((time, last, event))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard isEarlier(child, parent) else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() -> (time: Int, event: Event) {
        let first = entries[0]
        let end = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = end
            sink()
        }
        return (first.time, first.event)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var child = parent * 2 + 1
            guard child < entries.count else { return }
            if child + 1 < entries.count, isEarlier(child + 1, child) {
                child += 1
            }
            guard isEarlier(child, parent) else { return }
            entries.swapAt(child, parent)
            parent = child
        }
    }

    private func isEarlier(_ first: Int, _ second: Int) -> Bool {
        entries[first].time == entries[second].time
            ? entries[first].number < entries[second].number : entries[first].time < entries[second].time
    }
}

/// Random numbers that are the same for the same seed (SplitMix64), without the costs of a generic generator.
struct Dice {
    private var state: UInt64

    init(seed: Int) {
        state = UInt64(bitPattern: Int64(seed)) &* 0xD134_2543_DE82_EF95 &+ 0x9E37_79B9
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func roll(_ low: Int, _ high: Int) -> Int { low + Int(next() % UInt64(max(high - low, 0) + 1)) }
    /// True in so many of a thousand cases.
    mutating func chance(_ perMille: Int) -> Bool { perMille > 0 && Int(next() % 1_000) < perMille }
}
