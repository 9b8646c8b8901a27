/// A family that has a type for values of kinds it does not know, for the policy `keep`.
///
/// The type keeps whatever the value consists of and writes it back; ``KeptObject`` does so with any decoder, and is a
/// member of the family by a line: `extension KeptObject: Shape {}`. A type of the family's own may read the decoder as
/// it likes.
public protocol KeepingPolymorphicFamily: PolymorphicFamily {
    /// The type of values of unknown kinds. It must be a `Base`, and writes the discriminator that it read.
    static var keptType: any Decodable.Type { get }
}
