package import Hashing
package import JSON

/// The items of a whole collection, to be completed by those that change.
///
/// They are in the order of a member that grows with each change of an item, such as its time.
package struct KeptItems: Sendable {
    package let items: [JSONValue]
    /// The digest of all responses from which the items were read.
    package let digest: ContentDigest
    /// The value beyond which changes are asked for: the second last one, since more items may have got the last.
    package let start: String
    private let collection: CollectionResource
    private let field: JSONPath
    /// The places of the items by id.
    private let places: [String: Int]

    /// Keeps the items of a whole reading; nil if their changes cannot be asked for: an item lacks its id or value, an id
    /// occurs twice, or all values are equal.
    package init?(_ items: [JSONValue], digest: ContentDigest, of collection: CollectionResource, by field: JSONPath) {
        (self.items, self.digest, self.collection, self.field) = (items, digest, collection, field)
        var places: [String: Int] = [:]
        var (start, last): (String?, String?)
        for (place, item) in items.enumerated() {
            guard let id = collection.id(of: item), places.updateValue(place, forKey: id) == nil,
                let value = item[field]?.plainText, !value.isEmpty
            else { return nil }
            if value != last { (start, last) = (last, value) }
        }
        guard let start else { return nil }
        (self.start, self.places) = (start, places)
    }

    /// Returns the items with changed and new ones at the end, in the order of a whole reading. Returns itself if no
    /// item differs, and nil as ``init(_:digest:of:by:)`` does.
    ///
    /// - Parameter digest: of the responses with the changes.
    package func completed(by changes: [JSONValue], digest: ContentDigest) -> KeptItems? {
        let new = changes.filter { change in
            collection.id(of: change).flatMap { places[$0] }.map { items[$0] != change } ?? true
        }
        guard !new.isEmpty else { return self }
        let replaced = Set(new.compactMap { collection.id(of: $0) }.compactMap { places[$0] })
        let kept = items.indices.lazy.filter { !replaced.contains($0) }.map { items[$0] }
        return KeptItems(
            kept + new, digest: ContentDigest(of: self.digest.bytes + digest.bytes), of: collection, by: field)
    }
}
