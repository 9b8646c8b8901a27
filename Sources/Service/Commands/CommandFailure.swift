/// What a command says on standard error before it exits with 1.
public struct CommandFailure: Error, CustomStringConvertible {
    /// Whole lines, without the last line end.
    public let description: String

    /// A failure with these words.
    public init(_ description: String) {
        self.description = description
    }
}
