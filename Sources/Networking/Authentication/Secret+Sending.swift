internal import Configuration

extension Secret {
    /// Whether the secret can stand in a header: one with a line break could add headers of its own.
    var isSendable: Bool { HTTPHeader.isSendable(value: reveal()) }
}
