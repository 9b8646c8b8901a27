/// The discriminator of families that name no other: `type`.
public enum TypeDiscriminator: String, CodingKey, CaseIterable {
    /// The member `type`.
    case type

    /// The one case, without an array around it: it is asked for with every value that is decoded.
    public static var allCases: CollectionOfOne<TypeDiscriminator> { CollectionOfOne(.type) }
}
