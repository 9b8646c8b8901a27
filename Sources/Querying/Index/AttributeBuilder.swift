internal import Products

/// Collects the values of one attribute, product by product.
struct AttributeBuilder {
    let reader: AttributeReader
    /// The values as JSON, by their numbers: those of the first product with each.
    private(set) var shown: [ArraySlice<UInt8>] = []
    /// The products and their values, in the order of the products.
    private(set) var entries: [(position: Int32, number: Int32)] = []
    private(set) var misfits = Misfits()
    private var table = WordTable()
    private var folding = TextFolding()
    /// The last product with each value, so that none is recorded twice.
    private var lastSeen: [Int32] = []

    init(_ form: FindableMembers.Form) {
        reader = AttributeReader(form)
    }

    /// Adds a value of the product at a position, which is not before that of the value added last. An empty text is no value.
    mutating func append(_ bytes: [UInt8], _ value: Range<Int>, at position: Int) {
        if value.count == 2, bytes[value.lowerBound] == UInt8(ascii: "\"") { return }
        guard let (text, shown) = reader.read(bytes, value, &folding) else { return misfits.add(position) }
        if !text.isEmpty { record(text, shown, at: Int32(position)) }
    }

    /// Numbers a value by its text, in small letters if it is plain ASCII; other texts are folded already.
    private mutating func record(_ text: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>, at position: Int32) {
        var hash = table.empty
        for byte in text { hash.append(TextFolding.small(byte)) }
        let number = table.number(of: hash) { TextFolding.small(text[text.startIndex + $0]) }
        if number == shown.count {
            shown.append(value)
            lastSeen.append(-1)
        }
        guard lastSeen[Int(number)] != position else { return }
        lastSeen[Int(number)] = position
        entries.append((position, number))
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
