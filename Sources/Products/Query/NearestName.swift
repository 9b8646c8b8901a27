/// Finds the name that a misspelt one was probably meant to be.
enum NearestName {
    /// How long a misspelt name may be to be looked at, since what a client sends can be of any length.
    private static let lengthLimit = 24

    /// The nearest of the names, or nil when none is near: one edit in three letters, whatever the case.
    static func to(_ name: String, among names: [String]) -> String? {
        guard name.utf8.count <= lengthLimit else { return nil }
        let wanted = letters(name)
        let near = names.map { (name: $0, letters: letters($0)) }.map { known in
            (name: known.name, edits: edits(from: wanted, to: known.letters), length: known.letters.count)
        }
        return near.filter { $0.edits <= max(1, $0.length / 3) && $0.edits < min($0.length, wanted.count) }
            .min { $0.edits < $1.edits }?.name
    }

    private static func letters(_ name: String) -> [Character] {
        name.lowercased().map { $0 == "-" ? "_" : $0 }
    }

    /// How many letters must be put in, taken out or replaced.
    private static func edits(from left: [Character], to right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (i, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in right.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, diagonal + 1, row[j] + 1)
            }
        }
        return row[right.count]
    }
}
