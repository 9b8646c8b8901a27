internal import Decoding
internal import JSON
internal import Products

/// Finds the members of a product in items of a form that is not known, all but the price.
struct MemberSearch {
    private static let ids = [
        "id", "productid", "_id", "uuid", "guid", "sku", "code", "key", "articlenumber", "handle", "slug",
    ]
    private static let names = ["name", "title", "productname", "producttitle", "displayname", "label", "heading"]
    private static let descriptions = [
        "description", "bodyhtml", "descriptionhtml", "longdescription", "shortdescription", "summary", "body",
        "details",
    ]
    private static let categories = [
        "categories", "category", "categoryname", "producttype", "productcategory", "taxons", "collections",
        "collection",
        "department",
    ]
    private static let images = [
        "imageurl", "image", "thumbnail", "thumbnailurl", "featuredimage", "primaryimage", "mainimage", "imagesrc",
        "picture",
        "pictureurl", "photo", "cover", "img", "images", "media", "pictures", "photos", "gallery",
    ]
    /// The members of an image that hold its URL.
    private static let urls =
        ["url", "src", "href", "source", "original", "large", "preview", "path", "link"] + elements
    /// The names of a URL that only images have.
    private static let elements = ["imageUrl", "externalUrlLarge", "disBaseLink"]
    /// Members that identify a category, the preferred one first.
    private static let categoryNames = ["name", "path", "id"]

    let members: ItemMembers
    let settings: DraftSettings
    let origin: String?

    /// Adds the found members to a draft.
    func add(to draft: inout MappingDraft) throws(DraftProblem) {
        try addRequired("id", Self.ids, to: &draft) { place in
            // Items that share an id would be refused.
            place.texts.map { Set($0).count == $0.count && !$0.contains("") } ?? false
        }
        try addRequired("name", Self.names, to: &draft) { $0.isText || language(at: $0) != nil }
        let description = members.named(Self.descriptions) { $0.isText || language(at: $0) != nil }
        if settings["description"] == nil, let description { add("description", localized(description), to: &draft) }
        if settings["category"] == nil, let place = members.named(Self.categories, where: { category(at: $0) != nil }) {
            category(at: place).map { add("category", $0, to: &draft) }
            let states = members.places.filter {
                $0.path.hasPrefix("\(place.path).*.") && $0.values.contains(.bool(false))
            }
            for state in states where ["enabled", "isenabled", "visible", "active"].contains(state.plainName) {
                draft.remarks.append(
                    "some categories have \"\(state.name)\": false; \"\(place.path).*[\(state.name)=true]\" leaves them out"
                )
            }
        }
        if settings["imageURL"] == nil { addImages(to: &draft) }
        if let type = settings["type"] {
            draft.type = YAMLText.scalar(type)
        } else if let place = members.place(at: "type"), place.itemCount == members.items.count,
            place.values.allSatisfy({ $0.string.flatMap(ProductKind.init(rawValue:)) != nil })
        {
            draft.type = "{ path: type }"
        }
        addAside(to: &draft)
    }

    /// Puts a member into a draft that every product must have.
    private func addRequired(
        _ ours: String, _ names: [String], to draft: inout MappingDraft, where isAccepted: (MemberPlace) -> Bool
    ) throws(DraftProblem) {
        guard settings[ours] == nil else { return }
        let found = members.named(names) { $0.itemCount == members.items.count && isAccepted($0) }
        guard let found else {
            let places = members.places.filter { $0.isPlain && $0.itemCount == members.items.count && $0.texts != nil }
            throw .question(
                DraftQuestion(
                    ours, "no member that every item has looks like the \(ours)",
                    places.prefix(12).map { ($0.path, $0.examples) }, example: "PATH"))
        }
        add(ours, localized(found), to: &draft)
    }

    private func add(_ ours: String, _ path: String, to draft: inout MappingDraft) {
        // A member of our own name is read without a mapping, which is written for the required ones alone.
        if ours != path || ["id", "name"].contains(ours) { draft.replace(FieldDraft(ours: ours, paths: [path])) }
    }

    /// The language of texts in an object such as `{ "en": …, "de": … }`; nil for anything else.
    private func language(at place: MemberPlace) -> String? {
        let objects = place.values.compactMap(\.object)
        guard objects.count == place.values.count,
            objects.allSatisfy({ $0.members.allSatisfy { $0.value.string != nil } })
        else { return nil }
        let names = objects.flatMap(\.keys).filter { name in
            (2...5).contains(name.count) && name.prefix(2).allSatisfy(\.isLowercase)
                && name.dropFirst(2).first?.isLetter != true
        }
        if let stated = settings["language"] { return names.first { $0 == stated } }
        return names.first { $0.hasPrefix("en") } ?? names.first
    }

    private func localized(_ place: MemberPlace) -> String {
        language(at: place).map { "\(place.path).\($0)" } ?? place.path
    }

    /// Returns the path to categories as products have them: texts, or objects with a name, path or id.
    private func category(at place: MemberPlace) -> String? {
        guard let value = place.values.first(where: { $0.array?.isEmpty != true }) else { return nil }
        let element = value.array?.first ?? value
        if element.scalarText != nil { return element.bool == nil ? place.path : nil }
        guard let object = element.object else { return nil }
        if Self.categoryNames.contains(where: { object[$0]?.scalarText != nil }) { return place.path }
        guard let name = ["title", "label", "slug"].first(where: { object[$0]?.string != nil }) else { return nil }
        return place.path + (value.array == nil ? ".\(name)" : ".*.\(name)")
    }

    private func addImages(to draft: inout MappingDraft) {
        var paths: [String] = []
        for name in Self.images where paths.count < 2 {
            guard let place = members.named([name], where: { image(at: $0) != nil }), let path = image(at: place) else {
                continue
            }
            paths.append(path)
        }
        let deep = members.places.first { place in
            !place.isPlain && Self.elements.contains(place.name) && place.isText
        }
        if paths.isEmpty, let deep { paths.append(deep.components.map { $0 == "*" ? "0" : $0 }.joined(separator: ".")) }
        guard !paths.isEmpty else { return }
        var field = FieldDraft(ours: "imageURL", paths: paths)
        let texts = paths.flatMap { members.place(at: $0)?.texts ?? [] }
        if let origin, texts.contains(where: { $0.hasPrefix("/") && !$0.hasPrefix("//") }) {
            field.options.append(("prefix", YAMLText.scalar(origin)))
            field.remark = "Paths of images belong to the upstream, as far as its document says."
        }
        if paths != ["imageURL"] { draft.replace(field) }
    }

    /// Returns the path to the URL of an image: a text, the member of an object, or the first of several.
    private func image(at place: MemberPlace) -> String? {
        guard let value = place.values.first(where: { $0.array?.isEmpty != true && $0 != .string("") }) else {
            return nil
        }
        return Self.url(in: value, at: place.path, depth: 0)
    }

    private static func url(in value: JSONValue, at path: String, depth: Int) -> String? {
        if let text = value.string { return text.contains("/") || text.contains(".") ? path : nil }
        if let first = value.array?.first { return depth > 2 ? nil : url(in: first, at: "\(path).0", depth: depth + 1) }
        guard let object = value.object, depth <= 2 else { return nil }
        for name in urls + ["media", "image", "node"] {
            if let inner = object[name], let found = url(in: inner, at: "\(path).\(name)", depth: depth + 1) {
                return found
            }
        }
        return nil
    }

    /// Keeps members under another name that have a name of ours and cannot be read as ours.
    private func addAside(to draft: inout MappingDraft) {
        let tops = members.places.filter { !$0.path.contains(".") }
        for place in tops
        where !draft.fields.contains(where: { $0.paths.contains(place.path) || $0.ours == place.path }) {
            let isMapped = draft.fields.contains { $0.ours.hasPrefix("\(place.path).") }
            let isLost =
                switch place.path {
                case "type": draft.type != "{ path: type }"
                case "price": isMapped && place.values.contains { $0.object != nil }
                default: !Self.isReadable(place)
                }
            // Sales are read from their own place unless the config states them.
            if isLost, place.path == "sales" { draft.constants.append(("sales", "0")) }
            if isLost { draft.fields.append(FieldDraft(ours: "item_\(place.path)", paths: [place.path])) }
        }
    }

    private static func isReadable(_ place: MemberPlace) -> Bool {
        if let inner = OwnForm.product.containers[place.path] {
            return place.values.allSatisfy { value in
                guard let object = value.object else { return false }
                return inner.allSatisfy { isReadable(object[$0] ?? .null, as: "\(place.path).\($0)") }
            }
        }
        return place.values.allSatisfy { isReadable($0, as: place.path) }
    }

    private static func isReadable(_ value: JSONValue, as path: String) -> Bool {
        do {
            _ = try OwnForm.product.spec(at: path).type.coerced(value)
            return true
        } catch { return false }
    }
}
