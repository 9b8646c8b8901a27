internal import Decoding
internal import JSON
internal import Text

/// Finds lists in items whose elements are variants: each has an id of its own and a price.
struct VariantSearch {
    /// Words in the name of such a list. Others, such as related products, may have ids and prices too.
    private static let words: Set = [
        "variant", "variants", "variation", "variations", "combination", "combinations", "sku", "skus", "item", "items",
        "children", "offers", "articles", "models", "editions", "sizes",
    ]
    private static let ids = ["id", "sku", "variantid", "itemid", "skuid", "productid", "offerid"]
    private static let stocks = [
        "stock", "inventory_quantity", "inventoryQuantity", "quantity", "stock_quantity", "available_quantity",
    ]
    /// The largest ratio of prices of a product and its variants. A larger one means that they have different units.
    private static let ratio = 50.0

    let members: ItemMembers

    /// Returns the members of `variants` for a list; nil where its elements have no ids of their own.
    /// - Parameter fields: the price within an element.
    func variants(at list: String, _ fields: [FieldDraft]) -> [(name: String, written: String)]? {
        func place(_ name: String) -> MemberPlace? { members.place(at: "\(list).*.\(name)") }
        guard let id = id(at: list) else { return nil }
        var fields = fields
        if !["id", "sku"].contains(id) { fields.insert(FieldDraft(ours: "id", paths: [id]), at: 0) }
        if place("name")?.isText != true, place("title")?.isText == true {
            fields.append(FieldDraft(ours: "name", paths: ["title"]))
        }
        let stock = Self.stocks.first { name in
            place(name)?.values.allSatisfy { $0.number?.integer != nil } ?? false
        }
        if let stock, stock != "stock" { fields.append(FieldDraft(ours: "stock", paths: [stock])) }
        return [
            ("path", YAMLText.scalar(list)), ("fields", YAMLText.flow(fields.map { ($0.ours, $0.written) })),
        ]
    }

    /// Puts the only list of variants beside a product's own price into a draft, and names others that look like it.
    func add(to draft: inout MappingDraft, beside price: FieldDraft) {
        let found = members.places.filter(isList).map { place in
            (list: place.path, written: amount(in: place, beside: price).flatMap { variants(at: place.path, [$0]) })
        }
        let sold = found.filter { $0.written != nil }
        if sold.count == 1, case let (list, written?)? = sold.first {
            (draft.variants, draft.guessedVariants) = (written, list)
        }
        for (list, _) in found where list != draft.guessedVariants {
            draft.remarks.append("\"\(list)\" looks like variants; without \"variants\" no price in it is examined")
        }
    }

    /// Whether a place is an array of objects with ids and prices.
    private func isList(_ place: MemberPlace) -> Bool {
        place.isPlain && place.components.count <= 2 && place.values.allSatisfy { $0.array != nil }
            && id(at: place.path) != nil
            && !prices(in: place).isEmpty
    }

    private func prices(in list: MemberPlace) -> [MemberPlace] {
        members.places.filter { $0.path.hasPrefix("\(list.path).*.") && $0.hasNumber && PriceSearch.isNamedPrice($0) }
    }

    /// The member that each element of a list has and no two have alike.
    private func id(at list: String) -> String? {
        let elements = (members.place(at: list)?.values ?? []).flatMap { $0.array ?? [] }
        let names = elements.first?.object?.keys ?? []
        return Self.ids.lazy.compactMap { id in names.first { MemberPlace.plain($0) == id } }.first { name in
            let ids = elements.compactMap { $0.object?[name]?.scalarText }
            return ids.count == elements.count && Set(ids).count == ids.count
        }
    }

    /// Returns the price in an element of a list of variants by its name; nil where it is not clear, or in another unit.
    private func amount(in list: MemberPlace, beside price: FieldDraft) -> FieldDraft? {
        guard !list.name.nameWords.isDisjoint(with: Self.words) else { return nil }
        let start = "\(list.path).*."
        let places = prices(in: list)
        let direct = places.filter { $0.components.count == list.components.count + 2 }
        let own = price.paths[0].hasPrefix(start) ? price.paths[0] : nil
        guard let path = own ?? (direct.count == 1 ? direct : places.count == 1 ? places : []).first?.path else {
            return nil
        }
        var options = price.options.filter { $0.name == "scale" }
        // A scale by a path stands beside the product's price.
        guard !options.contains(where: { $0.written.hasPrefix("{") }), own != nil || isAlike(path, price.paths[0])
        else {
            return nil
        }
        let inner = String(path.dropFirst(start.count))
        if inner.contains("*") || inner.contains("[") { options.append(("pick", "min")) }
        return FieldDraft(ours: "price.amount", paths: [inner], options: options)
    }

    /// Whether prices within items are of the same unit.
    private func isAlike(_ one: String, _ other: String) -> Bool {
        func amounts(_ path: String) -> [[Double]] {
            ItemPath(path).map { path in
                members.items.map {
                    path.values(in: $0).compactMap { $0.scalarText.flatMap { Double($0) } }.filter { $0 > 0 }
                }
            } ?? []
        }
        return zip(amounts(one), amounts(other)).allSatisfy { one, other in
            guard let price = other.first else { return true }
            return one.allSatisfy { $0 / price < Self.ratio && price / $0 < Self.ratio }
        }
    }
}
