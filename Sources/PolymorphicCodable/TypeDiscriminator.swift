/// The discriminator of families that name no other: `type`.
public enum TypeDiscriminator: String, CodingKey, CaseIterable {
    /// The member `type`.
    case type
}
