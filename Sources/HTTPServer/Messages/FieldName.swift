/// The name of a header field that many requests are searched for. Names are compared by machine words, ignoring case.
struct FieldName: Sendable {
    private static let lowercase: UInt64 = 0x2020_2020_2020_2020

    private let size: Int
    /// The first eight bytes and the last eight, which overlap.
    private let first, last: UInt64

    /// - Parameter name: eight to sixteen letters and hyphens, which nothing else in a field's name becomes in lower case.
    init(_ name: StaticString) {
        precondition((8...16).contains(name.utf8CodeUnitCount), "\(name) has no two words")
        let bytes = unsafe UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        size = bytes.count
        (first, last) = unsafe Self.words(bytes)
    }

    private static func words(_ bytes: UnsafeRawBufferPointer) -> (UInt64, UInt64) {
        let first = unsafe bytes.loadUnaligned(as: UInt64.self)
        let last = unsafe bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
        return (first | lowercase, last | lowercase)
    }

    func matches(_ field: UnsafeRawBufferPointer) -> Bool {
        guard field.count == size else { return false }
        return unsafe Self.words(field) == (first, last)
    }
}
