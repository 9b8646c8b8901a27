/// What a client gets of a representation, by which heads differ.
enum AnswerForm: Sendable, Hashable {
    /// A 200 with its bytes, coded like this.
    case whole(ContentCoding)
    /// A 304: the client has it already.
    case notModified
}
