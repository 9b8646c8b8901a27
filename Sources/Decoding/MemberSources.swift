internal import JSON
internal import Products

/// The facts about an item that its members depend on.
struct ItemContext {
    let time: DecodingTime
    /// The item's kind; nil for an unknown one.
    var kind: ProductKind?
    /// The currency of prices that state none.
    var currency: JSONValue?
}

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
    func copied(_ kind: ProductKind?) -> ItemCopy.Source? {
        switch self {
        case .field(let field): field.copied(kind)
        // A negative price is bad, which needs its place.
        case .constant(let value): value.scalarText?.first == "-" ? nil : .constant(value.encoded())
        case .group(let group): group.copied(kind)
        case .variants(let variants): variants.copied(kind)
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
    private let isOfProduct: Bool

    init(_ field: FieldMapping, _ form: OwnForm, isMapped: Bool = true, currency: MemberSource? = nil) {
        (self.field, self.isMapped, self.currency) = (field, isMapped, currency)
        ours = field.ours.description
        (spec, isOfProduct) = (form.spec(at: ours), form.isProduct)
        isPlain = field.isPlain && field.theirs.paths.allSatisfy { $0.plain != nil }
    }

    /// The members of the item that are not read for anything else.
    var parts: [String] { field.theirs.paths.compactMap { isMapped ? $0.member : $0.root } }

    /// Returns the source for copying; nil for rules that need values.
    func copied(_ kind: ProductKind?) -> ItemCopy.Source? {
        let isOurs = spec.belongs(to: kind)
        let paths = field.theirs.paths.compactMap { CopiedPath($0) }
        guard field.isPlain, field.window == nil, paths.count == field.theirs.paths.count,
            let value = CopiedValue(isOurs ? spec.type : .other, scale: field.scale?.digits, isChecked: isOfProduct),
            field.scale.map({ $0.digits ?? 0 > 0 }) ?? true, field.fallback?.scalarText?.first != "-",
            isOfProduct || field.fallback == nil || spec.type != .decimal
        else { return nil }
        let fallback = isOurs ? field.fallback?.encoded() : nil
        guard field.givesList else { return .value(paths, value, fallback: fallback) }
        // Beside a path to several values, one to an array gives its elements.
        return field.theirs.paths.allSatisfy(\.leadsToList) ? .list(paths, value, fallback: fallback) : nil
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
        return type == .currency ? try form.currency(in: text) : try form.amount(in: text)
    }

    /// Throws if the text of an amount names another currency than the item's.
    private func checkCurrency(
        in found: JSONValue, of item: JSONValue, _ context: ItemContext
    ) throws(ValueProblem) {
        guard let text = found.string, let name = try field.form?.currency(in: text)?.string,
            let own = ((try? currency?.value(in: item, context)) ?? context.currency)?.string,
            CurrencyName(name)?.codes.contains(own) != true
        else { return }
        throw ValueProblem(expected: "an amount in \(own)", found: found)
    }

    private static func integer(at path: ItemPath, in item: JSONValue) -> Int? {
        path.first(in: item).flatMap { $0.number ?? $0.string.flatMap(JSONNumber.init(literal:)) }?.integer
    }

    private func scale(_ found: JSONValue?, _ item: JSONValue, _ context: ItemContext) throws(ValueProblem) -> Int? {
        // A missing amount needs no scale, which is then often missing as well.
        if case .string("")? = found { return nil }
        switch field.scale {
        case nil: return nil
        case .fixed(let scale): return scale
        case .path(let path):
            if let scale = Self.integer(at: path, in: item), FieldScale.range.contains(scale) { return scale }
            throw ValueProblem(
                expected: "a scale from 0 to \(FieldScale.range.upperBound) at \(path)", found: path.first(in: item))
        case .divisor(let path):
            if let scale = Self.integer(at: path, in: item).flatMap(FieldScale.digits) { return scale }
            throw ValueProblem(expected: "a power of ten at \(path)", found: path.first(in: item))
        case .currency:
            let code: JSONValue?
            do throws(ItemProblem) {
                code = try currency?.value(in: item, ItemContext(time: context.time)) ?? context.currency
            } catch {
                throw ValueProblem("no currency to scale by at \(OwnForm.currency): \(error.problem)")
            }
            guard let currency = code?.string.flatMap({ Currency(code: $0) }) else {
                throw ValueProblem(expected: "a currency to scale by at \(OwnForm.currency)", found: code)
            }
            return currency.minorDigits
        }
    }
}
