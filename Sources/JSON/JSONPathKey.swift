/// A step of a coding path that no type of the program names: an index, or a name that is only known when it is met.
enum JSONPathKey: CodingKey {
    case index(Int)
    case name(String)

    init(stringValue: String) {
        self = .name(stringValue)
    }

    init(intValue: Int) {
        self = .index(intValue)
    }

    var stringValue: String {
        switch self {
        case .index(let index): "\(index)"
        case .name(let name): name
        }
    }

    var intValue: Int? {
        if case .index(let index) = self { index } else { nil }
    }
}
