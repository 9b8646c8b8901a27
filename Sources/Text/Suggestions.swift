/// Finds the known name closest to a misspelt one.
package enum ClosestName {
    /// The longest name that is compared, in bytes, since clients and config files can send any length.
    private static let lengthLimit = 128

    /// The nearest of `names`, or nil if none is near enough to suggest.
    ///
    /// Near enough is one edit in three characters; case and the choice between `-` and `_` cost nothing. Of equally
    /// near names the first wins. If none is near, the only one that begins with the name is suggested.
    package static func to(_ name: String, among names: some Sequence<String>) -> String? {
        let names = Array(names)
        // Counted in bytes first: a character has up to four.
        let longest = names.map(\.utf8.count).max() ?? 0
        guard name.utf8.count <= min(lengthLimit, 4 * (longest + 2)) else { return nil }
        let wanted = folded(name)
        var best: (name: String, distance: Int)?
        var longer: [String] = []
        for candidate in names where candidate != name {
            let known = folded(candidate)
            if wanted.count > 2, known.starts(with: wanted) { longer.append(candidate) }
            let limit = max(1, max(wanted.count, known.count) / 3)
            guard abs(wanted.count - known.count) <= limit else { continue }
            let distance = distance(wanted, known)
            guard distance <= limit, distance < min(wanted.count, known.count) else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
        }
        return best?.name ?? (longer.count == 1 ? longer.first : nil)
    }

    /// The number of insertions, deletions, replacements and swaps of neighbours between two texts.
    package static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for i in left.indices {
            var row = [i + 1]
            row.reserveCapacity(right.count + 1)
            for j in right.indices {
                var cost = min(last[j + 1], row[j]) + 1
                cost = min(cost, last[j] + (left[i] == right[j] ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    cost = min(cost, beforeLast[j - 1] + 1)
                }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[right.count]
    }

    private static func folded(_ name: String) -> [Character] {
        name.lowercased().map { $0 == "-" ? "_" : $0 }
    }
}
