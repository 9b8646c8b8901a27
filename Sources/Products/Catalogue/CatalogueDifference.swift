/// The products by which two catalogues differ, found by their ids.
///
/// Applying it to the earlier catalogue gives the products of the later one: `removed` go, `changed` are replaced and
/// `added` come. It takes milliseconds for thousands of products, less where the later one knows what it was made from.
package struct CatalogueDifference: Sendable {
    package let from: Catalogue
    package let to: Catalogue
    /// The positions of new ids in the later catalogue, in order.
    package private(set) var added: [Int] = []
    /// The positions of missing ids in the earlier catalogue, in order.
    package private(set) var removed: [Int] = []
    /// The positions of an id whose product differs, in the order of the later catalogue.
    package private(set) var changed: [(before: Int, after: Int)] = []

    package init(from: Catalogue, to: Catalogue) {
        (self.from, self.to) = (from, to)
        guard from.revision != to.revision else { return }
        if let changes = to.changes, changes.revision == from.revision {
            for position in changes.positions { compare(position) }
        } else {
            for position in 0..<to.count { compare(position) }
        }
        guard from.count + added.count > to.count else { return }
        for position in 0..<from.count where to.position(ofEncodedID: from.encodedID(at: position)) == nil {
            removed.append(position)
        }
    }

    private mutating func compare(_ position: Int) {
        guard let before = from.position(ofEncodedID: to.encodedID(at: position)) else {
            return added.append(position)
        }
        if from.encoded[from.ranges[before]] != to.encoded[to.ranges[position]] { changed.append((before, position)) }
    }
}
