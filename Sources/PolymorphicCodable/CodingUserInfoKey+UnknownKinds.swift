extension CodingUserInfoKey {
    /// The key of the ``UnknownKinds`` by which a decoder's values are decoded.
    public static let unknownKinds: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "PolymorphicCodable.unknownKinds") else {
            preconditionFailure("a user info key can have any name")
        }
        return key
    }()
}
