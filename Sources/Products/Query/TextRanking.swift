extension Ranking {
    /// Ranks products by a text as it is written.
    init(_ catalogue: Catalogue, by range: (ProductText) -> Range<Int>) {
        var column = TextColumn(bytes: catalogue.encoded, capacity: catalogue.count)
        for product in catalogue.texts where column.isASCII { column.append(range(product), of: product) }
        self = column.ranking ?? Ranking(catalogue.texts.map { Optional($0.text(range($0))) })
    }

    /// Ranks products by a text without case and accents.
    init(folding catalogue: Catalogue, _ range: (ProductText) -> Range<Int>?) {
        var (column, folding) = (TextColumn(capacity: catalogue.count), TextFolding())
        for product in catalogue.texts where column.isASCII { column.append(range(product), of: product, &folding) }
        if let ranking = column.ranking {
            self = ranking
        } else {
            self.init(catalogue.texts.map { product in range(product).map { folding.folded(product.text($0)) } })
        }
    }
}

/// One text of each product. Texts of ASCII are in the order of their bytes, which is the order of `String` as well.
private struct TextColumn {
    private(set) var isASCII = true
    private var bytes: [UInt8]
    /// The range of each product's text in `bytes`; nil for none.
    private var ranges: [Range<Int>?] = []

    init(bytes: [UInt8] = [], capacity: Int) {
        self.bytes = bytes
        ranges.reserveCapacity(capacity)
    }

    /// Appends a text of the encoding that the column is about.
    mutating func append(_ range: Range<Int>, of product: ProductText) {
        isASCII = product.isPlain(range)
        ranges.append(range)
    }

    /// Appends a copy of a text without case and accents.
    mutating func append(_ range: Range<Int>?, of product: ProductText, _ folding: inout TextFolding) {
        let start = bytes.count
        if let range, product.isPlain(range) {
            let text = product.encoded.span
            for at in range { bytes.append(TextFolding.small(text[at])) }
        } else if let range {
            let folded = folding.folded(product.text(range))
            isASCII = folded.utf8.allSatisfy { $0 < 0x80 }
            bytes += folded.utf8
        }
        ranges.append(range == nil ? nil : start..<bytes.count)
    }

    /// The ranking of the texts; nil where one of them is not ASCII.
    var ranking: Ranking? {
        guard isASCII else { return nil }
        var present: [(key: Int, position: Int32)] = []
        present.reserveCapacity(ranges.count)
        for (position, range) in ranges.enumerated() {
            if let range { present.append((key(range), Int32(position))) }
        }
        return Ranking(present, outOf: ranges.count) { left, right, _ in precedes(Int(left), Int(right)) }
    }

    /// The first eight bytes as a number, whose order ASCII does not leave to the sign.
    private func key(_ range: Range<Int>) -> Int {
        let text = bytes.span
        var key = 0
        for offset in 0..<8 {
            key = key << 8 | (offset < range.count ? Int(text[range.lowerBound + offset]) : 0)
        }
        return key
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
