import JSON

/// Where a member is written, for the error about it.
///
/// Functions take it as an autoclosure, because hardly any path is ever needed.
struct MemberPath {
    private let encoder: any Encoder
    private var keys: [JSONPathKey] = []

    /// The path of the value that is written to an encoder.
    init(_ encoder: any Encoder) {
        self.encoder = encoder
    }

    /// The way from the outermost value.
    var codingPath: [any CodingKey] { encoder.codingPath + keys }

    subscript(name: String) -> MemberPath { appending(.name(name)) }

    subscript(index: Int) -> MemberPath { appending(.index(index)) }

    private func appending(_ key: JSONPathKey) -> MemberPath {
        var path = self
        path.keys.append(key)
        return path
    }
}
