internal import Products

/// Collects the values of one attribute, product by product.
struct AttributeBuilder {
    let reader: AttributeReader
    /// The values as JSON, by their numbers, in the notation of the first product with each.
    private(set) var shown: [ArraySlice<UInt8>] = []
    /// The products and their values, in the order of the products.
    private(set) var entries: [(position: Int32, number: Int32)] = []
    private(set) var misfits = Misfits()
    /// The texts of the values as they are compared.
    private var table = WordTable()
    /// The values as they stand in products, so that each is read once.
    private var written = WordTable()
    /// Their meanings, by their numbers.
    private var readings: [Reading] = []
    private var folding = TextFolding()
    /// The last product with each value, so that none is recorded twice.
    private var lastSeen: [Int32] = []

    private enum Reading {
        case value(Int32)
        /// An empty text.
        case nothing
        /// A value of another type.
        case misfit
    }

    init(_ form: FindableMembers.Form) {
        reader = AttributeReader(form)
    }

    /// Adds a value of the product at a position, which is not before the position of the value added last.
    mutating func append(_ bytes: [UInt8], _ value: Range<Int>, at position: Int) {
        var hash = written.empty
        for at in value { hash.append(bytes[at]) }
        let number = Int(written.number(of: hash) { bytes[value.lowerBound + $0] })
        if number == readings.count { readings.append(read(bytes, value)) }
        switch readings[number] {
        case .value(let number) where lastSeen[Int(number)] != position:
            lastSeen[Int(number)] = Int32(position)
            entries.append((Int32(position), number))
        case .value, .nothing: return
        case .misfit: misfits.add(position)
        }
    }

    /// Numbers a value by its text, in small letters if it is plain ASCII; other texts are folded already.
    private mutating func read(_ bytes: [UInt8], _ value: Range<Int>) -> Reading {
        if value.count == 2, bytes[value.lowerBound] == UInt8(ascii: "\"") { return .nothing }
        guard let (text, shown) = reader.read(bytes, value, &folding) else { return .misfit }
        guard !text.isEmpty else { return .nothing }
        var hash = table.empty
        for byte in text { hash.append(TextFolding.small(byte)) }
        let number = table.number(of: hash) { TextFolding.small(text[text.startIndex + $0]) }
        if number == self.shown.count {
            self.shown.append(shown)
            lastSeen.append(-1)
        }
        return .value(number)
    }

    func text(of number: Int32) -> ArraySlice<UInt8> {
        table.text[Int(table.starts[Int(number)])..<Int(table.starts[Int(number) + 1]) - 1]
    }

    /// The numbers of the values in the order of the values.
    var order: [Int32] {
        let keys = shown.indices.map { (key: reader.key(text(of: Int32($0))), number: Int32($0)) }
        return keys.sorted { left, right in
            left.key == right.key
                ? reader.precedes(text(of: left.number), text(of: right.number)) : left.key < right.key
        }
        .map(\.number)
    }
}
