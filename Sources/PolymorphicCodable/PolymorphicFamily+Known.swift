extension PolymorphicFamily {
    /// The kinds as a document names them.
    static var known: [String] { allCases.map(\.rawValue) }

    /// The key of the member that tells the kind.
    static var discriminator: Discriminator {
        guard let key = Discriminator.allCases.first else {
            preconditionFailure("\(Discriminator.self) has no case to name the discriminator")
        }
        return key
    }
}
