package import JSON
internal import Products

/// The categories of a catalogue: their products, and the tree that their paths make.
struct CategoryIndex: Sendable {
    /// A category as products state it.
    private struct Stated: Hashable {
        /// The texts by which a query finds it.
        let texts: [String]
        /// The names from the root to it.
        let path: [String]
        /// Its id as JSON; nil without one.
        let id: JSONValue?
    }

    /// The most names of a path; the names of a longer one end in one.
    private static let deepest = 32

    private let stated: [Stated]
    /// The numbers of the stated categories by the texts that find them.
    private let byText: [String: [Int32]]
    /// The start of each stated category's products in `positions`, and the end.
    private let starts: [Int32]
    private let positions: [Int32]
    private let count: Int

    /// - Parameter separator: the text between the names of a path; nil if texts are names.
    init(_ catalogue: Catalogue, separator: String?) {
        var (table, stated, entries) = (WordTable(), [Stated](), [(number: Int32, position: Int32)]())
        // Values that differ in other members alone are one category.
        var (numbers, known) = ([Int32](), [Stated: Int32]())
        let encoded = catalogue.encoded
        for (position, product) in catalogue.texts.enumerated() {
            for value in product.categoryValues where !value.isEmpty {
                var hash = table.empty
                for at in value { hash.append(encoded[at]) }
                // An empty text, or an empty list of names, is no category.
                if value.count == 2 { continue }
                let number = Int(table.number(of: hash) { encoded[value.lowerBound + $0] })
                if number == numbers.count {
                    let category = Self.stated(encoded, value, separator)
                    if known[category] == nil {
                        known[category] = Int32(stated.count)
                        stated.append(category)
                    }
                    numbers.append(known[category] ?? 0)
                }
                entries.append((numbers[number], Int32(position)))
            }
        }
        var starts = [Int32](repeating: 0, count: stated.count + 1)
        for entry in entries { starts[Int(entry.number) + 1] += 1 }
        for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
        var (next, positions) = (starts, [Int32](repeating: 0, count: entries.count))
        for entry in entries {
            positions[Int(next[Int(entry.number)])] = entry.position
            next[Int(entry.number)] += 1
        }
        var byText: [String: [Int32]] = [:]
        for (number, stated) in stated.enumerated() {
            for text in stated.texts where byText[text]?.last != Int32(number) {
                byText[text, default: []].append(Int32(number))
            }
        }
        (self.stated, self.byText, self.starts, self.positions) = (stated, byText, starts, positions)
        count = catalogue.count
    }

    var byteCount: Int {
        let texts = stated.reduce(0) { $0 + ($1.texts + $1.path).reduce(0) { $0 + $1.utf8.count + 32 } }
        return texts + (starts.count + positions.count) * MemoryLayout<Int32>.stride
    }

    /// The products in a category with any of these texts, or below one.
    func positions(in texts: Set<ExactText>) -> PositionSet {
        PositionSet(outOf: count, texts.lazy.flatMap { self.byText[$0.text] ?? [] }.flatMap { self.positions(of: $0) })
    }

    private func positions(of number: Int32) -> ArraySlice<Int32> {
        positions[Int(starts[Int(number)])..<Int(starts[Int(number) + 1])]
    }

    private static func stated(_ encoded: [UInt8], _ value: Range<Int>, _ separator: String?) -> Stated {
        let json = (try? JSONParser(depthLimit: Catalogue.depthLimit).parse(encoded, in: value)) ?? .null
        let path = json.object?["path"] ?? .null
        var steps = (path.array ?? []).compactMap { $0.string ?? $0.number?.literal }
        var texts = ProductCategories(json)?.texts ?? [json.number?.literal].compactMap(\.self)
        let name = json.object?["name"]?.string ?? texts.first ?? ""
        if steps.isEmpty { steps = split(path.string ?? name, separator) }
        if steps.count > deepest {
            let end = steps[(deepest - 1)...].joined(separator: separator ?? " > ")
            steps = Array(steps.prefix(deepest - 1)) + [end]
        }
        if let separator {
            // Each category above it is found by its name and by its path.
            texts += steps + steps.indices.map { steps[...$0].joined(separator: separator) }
        }
        return Stated(texts: texts, path: steps, id: json.object?["id"])
    }

    private static func split(_ text: String, _ separator: String?) -> [String] {
        guard let separator, !separator.isEmpty else { return [text] }
        let steps = text.split(separator: separator, omittingEmptySubsequences: true).map { step in
            String(step.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        }
        let named = steps.filter { !$0.isEmpty }
        return named.isEmpty ? [text] : named
    }

    /// The roots of the tree with the products among some that are in each category or below it.
    func tree(among products: PositionSet) -> [CategoryCount] {
        let root = Node()
        for (number, stated) in stated.enumerated() {
            var node = root
            for name in stated.path {
                node = node.child(name)
            }
            node.id = node.id ?? stated.id
            node.stated.append(Int32(number))
        }
        var seen = [Int32](repeating: -1, count: count)
        var stamp: Int32 = 0
        return root.children.values.map { counted($0, among: products, &seen, &stamp).count }
            .filter { $0.count > 0 }.sorted()
    }

    /// Counts the products of a node, and returns them for the node above.
    private func counted(
        _ node: Node, among products: PositionSet, _ seen: inout [Int32], _ stamp: inout Int32
    ) -> (count: CategoryCount, positions: [Int32]) {
        var (below, found): ([CategoryCount], [Int32]) = ([], node.stated.flatMap { positions(of: $0) })
        for child in node.children.values {
            let (count, positions) = counted(child, among: products, &seen, &stamp)
            if count.count > 0 { below.append(count) }
            found += positions
        }
        stamp += 1
        found = found.filter { position in
            guard seen[Int(position)] != stamp, products.contains(Int(position)) else { return false }
            seen[Int(position)] = stamp
            return true
        }
        return (CategoryCount(path: node.path, id: node.id, count: found.count, below: below.sorted()), found)
    }

    private final class Node {
        let path: [String]
        var id: JSONValue?
        var stated: [Int32] = []
        var children: [String: Node] = [:]

        init(path: [String] = []) { self.path = path }

        func child(_ name: String) -> Node {
            if let known = children[name] { return known }
            let child = Node(path: path + [name])
            children[name] = child
            return child
        }
    }
}

/// A category with the number of the products in it and below it.
package struct CategoryCount: Sendable, Comparable {
    /// The names from the root to it.
    package let path: [String]
    /// Its id as the products state it; nil without one.
    package let id: JSONValue?
    package let count: Int
    /// The categories right below it, by name.
    package let below: [CategoryCount]

    /// All categories, each before those below it.
    static func flattened(_ tree: [CategoryCount]) -> [CategoryCount] {
        tree.flatMap { [$0] + flattened($0.below) }
    }

    /// The text by which a query finds it.
    func text(_ separator: String?) -> String {
        separator.map { path.joined(separator: $0) } ?? path.last ?? ""
    }

    package static func < (left: CategoryCount, right: CategoryCount) -> Bool {
        (left.path.last ?? "") < (right.path.last ?? "")
    }

    package static func == (left: CategoryCount, right: CategoryCount) -> Bool {
        left.path == right.path && left.count == right.count && left.below == right.below
    }
}
