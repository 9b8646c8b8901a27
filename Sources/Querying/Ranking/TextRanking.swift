internal import Products

extension Ranking {
    /// Ranks products by a text, unfolded.
    init(_ catalogue: Catalogue, by range: (ProductText) -> Range<Int>) {
        var column = TextColumn(bytes: catalogue.encoded, capacity: catalogue.count)
        let isPlain = catalogue.texts.allSatisfy { column.appendPlain(range($0), of: $0) }
        if !isPlain {
            column = TextColumn(capacity: catalogue.count)
            for product in catalogue.texts { column.append(product.text(range(product))) }
        }
        self = column.ranking
    }

    /// Ranks products by a text without case and accents.
    init(folding catalogue: Catalogue, _ range: (ProductText) -> Range<Int>?) {
        var (column, folding) = (TextColumn(capacity: catalogue.count), TextFolding())
        for product in catalogue.texts { column.append(range(product), of: product, &folding) }
        self = column.ranking
    }
}

/// One text of each product. They are ordered by their bytes, which is the order of their Unicode scalars. Composed and
/// decomposed accents differ, as in a client that compares code points.
private struct TextColumn {
    private var bytes: [UInt8]
    /// The range of each product's text in `bytes`; nil for none.
    private var ranges: [Range<Int>?] = []

    init(bytes: [UInt8] = [], capacity: Int) {
        self.bytes = bytes
        ranges.reserveCapacity(capacity)
    }

    /// Appends a text of the column's encoding; false if it is escaped there.
    mutating func appendPlain(_ range: Range<Int>, of product: ProductText) -> Bool {
        ranges.append(range)
        return product.isPlain(range)
    }

    /// Appends a copy of a text.
    mutating func append(_ text: String) {
        let start = bytes.count
        bytes += text.utf8
        ranges.append(start..<bytes.count)
    }

    /// Appends a copy of a text without case and accents.
    mutating func append(_ range: Range<Int>?, of product: ProductText, _ folding: inout TextFolding) {
        guard let range else { return ranges.append(nil) }
        guard product.isPlain(range) else { return append(folding.folded(product.text(range))) }
        let (start, text) = (bytes.count, product.encoded.span)
        for at in range { bytes.append(TextFolding.small(text[at])) }
        ranges.append(start..<bytes.count)
    }

    /// The ranking of the texts.
    var ranking: Ranking {
        var present: [(key: Int, position: Int32)] = []
        present.reserveCapacity(ranges.count)
        for (position, range) in ranges.enumerated() {
            if let range { present.append((key(range), Int32(position))) }
        }
        return Ranking(present, outOf: ranges.count) { left, right, _ in precedes(Int(left), Int(right)) }
    }

    /// The first eight bytes as a number in their order.
    private func key(_ range: Range<Int>) -> Int {
        let text = bytes.span
        var key: UInt = 0
        for offset in 0..<8 {
            key = key << 8 | (offset < range.count ? UInt(text[range.lowerBound + offset]) : 0)
        }
        return Int(bitPattern: key ^ 1 << 63)
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        guard let left = ranges[left], let right = ranges[right] else { return false }
        let text = bytes.span
        for offset in 0..<min(left.count, right.count) {
            let (one, other) = (text[left.lowerBound + offset], text[right.lowerBound + offset])
            if one != other { return one < other }
        }
        return left.count < right.count
    }
}
