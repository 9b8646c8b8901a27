/// Values of several types as one object, each of which writes itself.
struct EncodableDictionary: Encodable {
    let values: [String: any Encodable]

    /// Written through a dictionary, whose names encoders know to leave as they are.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values.mapValues(EncodableValue.init))
    }
}
