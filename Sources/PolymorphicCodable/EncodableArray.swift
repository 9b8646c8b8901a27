/// Values of several types as one array, each of which writes itself.
struct EncodableArray: Encodable {
    let values: [any Encodable]

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for value in values {
            try container.encode(value)
        }
    }
}
