extension PolymorphicEncodingError: CustomStringConvertible {
    /// The sentence, as `[3].type: Hexagon is of no kind and writes none; known are "circle", "square"`.
    public var description: String {
        let place = CodingPlace(path: codingPath)
        return switch self {
        case .missingDiscriminator(let type, _, let known):
            "\(place): \(type) is of no kind and writes none; known are \(QuotedList(known))"
        case .otherDiscriminator(let found, _, let expected):
            "\(place): \(found) is written by a value of kind \(QuotedList(expected))"
        case .notAnObject(let type, _): "\(place): \(type) is not written as an object"
        case .notEncodable(let type, _): "\(place): \(type) is not Encodable"
        }
    }
}
