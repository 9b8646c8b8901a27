internal import FoundationEssentials
internal import Products

/// The values of one attribute: those of each product, and the products of each.
///
/// Values are numbered in their order, so that a range of values is a range of numbers, and its products are a slice.
struct AttributeColumn: Sendable {
    private let reader: AttributeReader
    /// The texts of the values as they are compared, in order: folded, or numbers in one notation.
    private let texts: TextList
    /// The values as JSON, as the first product has them.
    let shown: TextList
    /// The start of each product's numbers in `numbers`, and the end.
    private let starts: [Int32]
    private let numbers: [Int32]
    /// The start of each value's products in `positions`, and the end.
    private let valueStarts: [Int32]
    private let positions: [Int32]
    /// The values of another type, which are not found.
    let misfits: Misfits

    init(_ builder: AttributeBuilder, outOf count: Int) {
        (reader, misfits) = (builder.reader, builder.misfits)
        let order = builder.order
        var (texts, shown, ranks) = (TextList(), TextList(), [Int32](repeating: 0, count: order.count))
        for (rank, number) in order.enumerated() {
            texts.append(builder.text(of: number))
            shown.append(builder.shown[Int(number)])
            ranks[Int(number)] = Int32(rank)
        }
        let entries = builder.entries
        var starts = [Int32](repeating: 0, count: count + 1)
        var valueStarts = [Int32](repeating: 0, count: order.count + 1)
        for entry in entries {
            starts[Int(entry.position) + 1] += 1
            valueStarts[Int(ranks[Int(entry.number)]) + 1] += 1
        }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        for index in valueStarts.indices.dropFirst() { valueStarts[index] += valueStarts[index - 1] }
        // Entries are in the order of the products, and so are the products of each value.
        var (next, positions) = (valueStarts, [Int32](repeating: 0, count: entries.count))
        numbers = entries.map { entry in
            let rank = ranks[Int(entry.number)]
            positions[Int(next[Int(rank)])] = entry.position
            next[Int(rank)] += 1
            return rank
        }
        (self.texts, self.shown, self.starts) = (texts, shown, starts)
        (self.valueStarts, self.positions) = (valueStarts, positions)
    }

    /// The prices of all products.
    init(prices catalogue: Catalogue) {
        var builder = AttributeBuilder(.number)
        for (position, product) in catalogue.texts.enumerated() {
            builder.append(catalogue.encoded, product.amountRange, at: position)
        }
        self.init(builder, outOf: catalogue.count)
    }

    var isEmpty: Bool { numbers.isEmpty }

    var byteCount: Int {
        let numberCount = starts.count + numbers.count + valueStarts.count + positions.count
        return texts.byteCount + shown.byteCount + numberCount * MemoryLayout<Int32>.stride
    }

    /// The products that a filter passes.
    func positions(_ comparison: DeclaredParameter.Comparison, _ wanted: Set<ExactText>) -> PositionSet {
        switch comparison {
        case .isAtLeast: return positions(from: wanted.first, through: nil)
        case .isAtMost: return positions(from: nil, through: wanted.first)
        case .isKey, .isAny, .isNone:
            var found = PositionSet(outOf: starts.count - 1)
            for number in wanted.lazy.compactMap({ self.number(of: $0.text) }) {
                insert(number..<number + 1, in: &found)
            }
            return comparison == .isNone ? found.inverted(outOf: starts.count - 1) : found
        }
    }

    /// The products with a value in a closed range.
    func positions(from least: ExactText?, through greatest: ExactText?) -> PositionSet {
        let lower = least.map { least in
            partition { !reader.precedes($0, Array(least.text.utf8)[...]) }
        }
        let upper = greatest.map { greatest in
            partition { reader.precedes(Array(greatest.text.utf8)[...], $0) }
        }
        var found = PositionSet(outOf: starts.count - 1)
        insert((lower ?? 0)..<max(lower ?? 0, upper ?? texts.count), in: &found)
        return found
    }

    /// Counts the products of each value among some.
    func counts(among products: [Int32]) -> [Int] {
        var counts = Array(repeating: 0, count: texts.count)
        for product in products {
            for index in starts[Int(product)]..<starts[Int(product) + 1] { counts[Int(numbers[Int(index)])] += 1 }
        }
        return counts
    }

    /// The ranking of the products by the least value of each.
    var ranking: Ranking {
        let least = (0..<starts.count - 1).map { numbers[Int(starts[$0])..<Int(starts[$0 + 1])].min() }
        var (ranks, examples) = ([Int32](repeating: -1, count: texts.count), [Int32]())
        for number in Set(least.compactMap(\.self)).sorted() {
            ranks[Int(number)] = Int32(examples.count)
            examples.append(positions[Int(valueStarts[Int(number)])])
        }
        let missing = Int32(examples.count)
        return Ranking(ranks: least.map { $0.map { ranks[Int($0)] } ?? missing }, examples: examples)
    }

    private func insert(_ numbers: Range<Int>, in found: inout PositionSet) {
        guard !numbers.isEmpty else { return }
        for index in valueStarts[numbers.lowerBound]..<valueStarts[numbers.upperBound] {
            found.insert(Int(positions[Int(index)]))
        }
    }

    private func number(of text: String) -> Int? {
        let wanted = reader.compared(text)[...]
        if case .bands = reader.form { return (0..<texts.count).first { texts[$0] == wanted } }
        let place = partition { !reader.precedes($0, wanted) }
        return place < texts.count && texts[place] == wanted ? place : nil
    }

    /// The index of the first value for which the condition holds; it must hold for all later ones.
    private func partition(_ holds: (ArraySlice<UInt8>) -> Bool) -> Int {
        var (low, high) = (0, texts.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(texts[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// The values of an attribute that are not of its type.
package struct Misfits: Sendable, Hashable {
    package fileprivate(set) var count = 0
    /// The position of the first product with one.
    package fileprivate(set) var first: Int?

    mutating func add(_ position: Int) {
        count += 1
        first = first ?? position
    }
}

/// Texts one behind the other.
struct TextList: Sendable {
    private var bytes: [UInt8] = []
    private var starts: [Int32] = [0]

    var count: Int { starts.count - 1 }
    var byteCount: Int { bytes.count + starts.count * MemoryLayout<Int32>.stride }

    mutating func append(_ text: ArraySlice<UInt8>) {
        bytes += text
        starts.append(Int32(bytes.count))
    }

    subscript(index: Int) -> ArraySlice<UInt8> { bytes[Int(starts[index])..<Int(starts[index + 1])] }
}
