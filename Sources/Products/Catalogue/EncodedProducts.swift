internal import JSON
internal import PolymorphicCodable

/// The products of a canonical encoding. Each is made whenever it is asked for, in some microseconds.
package struct EncodedProducts: Sendable, RandomAccessCollection {
    private let array: EncodedArray

    init(_ array: EncodedArray) {
        self.array = array
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { array.count }

    package subscript(position: Int) -> any Product {
        do {
            let value = try JSONParser().parse(array.bytes, in: array.ranges[position])
            let decoder = JSONValueDecoder(value, userInfo: [.unknownKinds: UnknownKinds(.keep) { _ in }])
            return try ProductKind.decodePolymorphic(from: decoder)
        } catch {
            preconditionFailure("a canonical encoding holds products: \(error)")
        }
    }
}
