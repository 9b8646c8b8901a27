internal import Products

/// One member of our own form: what it holds, and which kind of product has it.
struct MemberSpec: Sendable {
    let type: MemberType
    /// The kind that names the member; `nil` when all do.
    let kind: ProductKind?

    init(_ type: MemberType, of kind: ProductKind? = nil) {
        self.type = type
        self.kind = kind
    }

    /// Whether the member is one of ours in a product of this kind; in others, its name is an attribute's.
    func belongs(to other: ProductKind?) -> Bool {
        kind == nil || kind == other
    }
}
