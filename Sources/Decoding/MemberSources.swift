internal import JSON
internal import Products

/// The source of one of our members in an upstream's item.
indirect enum MemberSource: Sendable {
    /// A member of the item.
    case field(FieldSource)
    /// A constant.
    case constant(JSONValue)
    /// An object whose members have sources of their own.
    case group(GroupSource)
    /// The variants in which a product is sold.
    case variants(VariantsSource)

    /// Returns the member's value; nil if it has none.
    func value(in item: JSONValue, _ context: ItemContext) throws(ItemProblem) -> JSONValue? {
        switch self {
        case .field(let field): try field.value(in: item, context)
        case .constant(let value): value
        case .group(let group): try group.value(in: item, context)
        case .variants(let variants): try variants.value(in: item, context)
        }
    }

    /// Returns the source for copying items of a kind; nil for rules that need values.
    func copied(_ kind: ProductKind) -> ItemCopy.Source? {
        switch self {
        case .field(let field): field.copied(kind)
        // A negative price is bad, which needs its place.
        case .constant(let value): value.scalarText?.first == "-" ? nil : .constant(value.encoded())
        case .group(let group): group.copied(kind)
        case .variants: nil
        }
    }
}

/// The source of one of our members without members of its own.
struct FieldSource: Sendable {
    private let field: FieldMapping
    private let ours: String
    private let spec: MemberSpec
    /// The source of the item's currency.
    private let currency: MemberSource?
    /// Whether errors name the upstream's place, which differs from ours.
    private let isMapped: Bool
    /// Whether values are taken as they are found at the first place.
    private let isPlain: Bool

    init(_ field: FieldMapping, _ form: OwnForm, isMapped: Bool = true, currency: MemberSource? = nil) {
        (self.field, self.isMapped, self.currency) = (field, isMapped, currency)
        ours = field.ours.description
        spec = form.spec(at: ours)
        isPlain = field.isPlain && field.theirs.paths.allSatisfy { $0.plain != nil }
    }

    /// The members of the item that are not read for anything else.
    var parts: [String] { field.theirs.paths.compactMap { isMapped ? $0.member : $0.root } }

    /// Returns the source for copying; nil for rules that need values.
    func copied(_ kind: ProductKind) -> ItemCopy.Source? {
        let isOurs = spec.belongs(to: kind)
        let paths = field.theirs.paths.compactMap(\.plain).map(CopiedPath.init)
        guard isPlain, field.window == nil,
            let value = CopiedValue(isOurs ? spec.type : .other, scale: field.scale?.digits)
        else {
            return nil
        }
        if field.scale != nil && field.scale?.digits == nil || field.fallback?.scalarText?.first == "-" { return nil }
        return .value(paths, value, fallback: isOurs ? field.fallback?.encoded() : nil)
    }

    /// Returns the member's value; nil if it is missing and has no default.
    func value(in item: JSONValue, _ context: ItemContext) throws(ItemProblem) -> JSONValue? {
        let isOurs = spec.belongs(to: context.kind)
        let type = isOurs ? spec.type : .other
        for path in field.theirs.paths {
            do throws(ValueProblem) {
                guard try field.counts(path, in: item, at: context.time) else { continue }
                if let value = try value(at: path, in: item, type, context) { return value }
            } catch {
                let place = error.element.map { "\(ours)[\($0)]" } ?? ours
                throw ItemProblem(ours: place, theirs: isMapped ? path.description : nil, problem: error.problem)
            }
        }
        guard isOurs else { return nil }
        return field.fallback ?? (type == .currency ? context.currency : nil)
    }

    private func value(
        at path: ItemPath, in item: JSONValue, _ type: MemberType, _ context: ItemContext
    ) throws(ValueProblem) -> JSONValue? {
        if isPlain {
            guard let found = path.first(in: item) else { return nil }
            return try type.coerced(found, scale: scale(found, item, context))
        }
        // Beside a path to several values, one to an array gives its elements.
        let found = try field.texts.applied(
            to: path.values(in: item).flatMap { field.givesList && path.plain != nil ? $0.array ?? [$0] : [$0] })
        if field.givesList {
            var elements: [JSONValue] = []
            for value in found {
                if let value = try formed(value, type) { elements.append(value) }
            }
            return elements.isEmpty ? nil : try type.coerced(.array(elements), scale: scale(nil, item, context))
        }
        var values: [JSONValue] = []
        for value in field.pick == .last ? found.reversed() : found {
            guard let value = try converted(value, in: item, type, context) else { continue }
            if type != .currency, [nil, .first, .last].contains(field.pick) { return value }
            values.append(value)
        }
        // An amount that is chosen among several currencies would get another's.
        if type == .currency, let other = values.first(where: { $0 != values.first }) {
            throw ValueProblem(expected: "one currency, beside \(values.first?.excerpt ?? "none")", found: other)
        }
        return try field.pick?.choice(of: values) ?? values.first
    }

    /// Converts one of the values that were found.
    private func converted(
        _ found: JSONValue, in item: JSONValue, _ type: MemberType, _ context: ItemContext
    ) throws(ValueProblem) -> JSONValue? {
        guard let value = try formed(found, type) else { return nil }
        if field.form != nil, ours == OwnForm.amount { try checkCurrency(in: found, of: item, context) }
        return try type.coerced(value, scale: scale(value, item, context))
    }

    /// Returns the part of a text that the member is about.
    private func formed(_ value: JSONValue, _ type: MemberType) throws(ValueProblem) -> JSONValue? {
        guard let form = field.form, let text = value.string, !text.isEmpty else { return value }
        return type == .currency ? form.currency(in: text) : try form.amount(in: text)
    }

    /// Throws if the text of an amount names another currency than the item's.
    private func checkCurrency(
        in found: JSONValue, of item: JSONValue, _ context: ItemContext
    ) throws(ValueProblem) {
        guard let text = found.string, let name = field.form?.currency(in: text),
            let stated = try? MemberType.currency.coerced(name),
            let own = (try? currency?.value(in: item, context)) ?? context.currency, stated != own
        else { return }
        throw ValueProblem(expected: "an amount in \(own.string ?? "the item's currency")", found: found)
    }

    private func scale(_ found: JSONValue?, _ item: JSONValue, _ context: ItemContext) throws(ValueProblem) -> Int? {
        // A missing amount needs no scale, which is then often missing as well.
        if case .string("")? = found { return nil }
        switch field.scale {
        case nil: return nil
        case .fixed(let scale): return scale
        case .path(let path):
            let digits = path.first(in: item).flatMap { $0.number ?? $0.string.flatMap(JSONNumber.init(literal:)) }
            guard let scale = digits?.integer, FieldScale.range.contains(scale) else {
                throw ValueProblem(
                    expected: "a scale from 0 to \(FieldScale.range.upperBound) at \(path)", found: path.first(in: item)
                )
            }
            return scale
        case .currency:
            let code = (try? currency?.value(in: item, ItemContext(time: context.time))) ?? context.currency
            guard let currency = code?.string.flatMap({ Currency(code: $0) }) else {
                throw ValueProblem(expected: "a currency to scale by at \(OwnForm.currency)", found: code)
            }
            return currency.minorDigits
        }
    }
}

/// The source of one of our members that is an object.
struct GroupSource: Sendable {
    enum Condition {
        /// Any member is there.
        case something
        /// Every member is there.
        case everything
        /// Always, so that the error about a missing member names that member.
        case nothing
        /// The amount of a price is there; one without a currency is bad.
        case amount
    }

    /// The members, in order.
    var members: [(name: String, source: MemberSource)]
    /// The place of the upstream's object whose other members are kept; nil if none are.
    var rest: JSONPath?
    /// The condition for making the object.
    var condition = Condition.something

    /// Returns the object; nil if its condition is not met.
    func value(in item: JSONValue, _ context: ItemContext) throws(ItemProblem) -> JSONValue? {
        var object = rest.flatMap { item[$0]?.object } ?? JSONObject()
        var isWhole = true
        for member in members {
            if let value = try member.source.value(in: item, context), !isBlank(value) {
                object[member.name] = value
            } else {
                isWhole = false
                if case .something = condition {} else { object[member.name] = nil }
            }
        }
        if case .amount = condition, object["amount"] != nil, object["currency"] == nil {
            throw ItemProblem(ours: OwnForm.currency, problem: "missing")
        }
        return isMade(object, isWhole) ? .object(object) : nil
    }

    /// The members of the item that are left over where an object is not made.
    var parts: [String] {
        guard case .everything = condition else { return [] }
        return members.flatMap { if case .field(let field) = $0.source { return field.parts } else { return [] } }
    }

    func copied(_ kind: ProductKind) -> ItemCopy.Source? {
        let copied = members.compactMap { member in
            member.source.copied(kind).map { ItemCopy.Member(member.name, $0) }
        }
        guard rest == nil, copied.count == members.count else { return nil }
        let object: CopiedObject =
            switch condition {
            case .something: .some
            case .everything: .whole
            case .nothing, .amount: .always
            }
        return .object(copied, object)
    }

    /// Whether a member of an object of ours is blank.
    private func isBlank(_ value: JSONValue) -> Bool {
        if case .everything = condition, case .string("") = value { true } else { false }
    }

    private func isMade(_ object: JSONObject, _ isWhole: Bool) -> Bool {
        switch condition {
        case .something: !object.isEmpty
        case .everything: isWhole
        case .nothing: true
        case .amount: object["amount"] != nil
        }
    }
}
