/// The members of an object, of which a program only knows that it wants to keep them.
///
/// They are in the order in which the decoder lists them, which is that of the document if the decoder knows it, and
/// are written in that order. Two objects are equal if their members are, in whatever order.
public struct KeptObject: Sendable {
    /// The names, in order.
    public let names: [String]
    private let values: [String: KeptValue]

    /// Members by name and in order; of two with one name, the first counts.
    public init(members: [(name: String, value: KeptValue)]) {
        values = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
        var seen: Set<String> = []
        names = members.map(\.name).filter { seen.insert($0).inserted }
    }

    /// The value of a member.
    public subscript(name: String) -> KeptValue? {
        values[name]
    }
}

extension KeptObject: Hashable {
    /// Whether both have the same members.
    public static func == (left: KeptObject, right: KeptObject) -> Bool {
        left.values == right.values
    }

    /// Hashes the members, without their order.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(values)
    }
}

extension KeptObject: ExpressibleByDictionaryLiteral {
    /// Members by name and in order; of two with one name, the first counts.
    public init(dictionaryLiteral elements: (String, KeptValue)...) {
        self.init(members: elements.map { ($0.0, $0.1) })
    }
}
