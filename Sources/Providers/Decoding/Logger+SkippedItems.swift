internal import Logging
internal import Products

extension Logger {
    /// Says that items of an upstream were left out, in one line for all of them; nothing when none was.
    ///
    /// - Parameters:
    ///   - provider: the node that read them.
    ///   - secrets: what the upstream was told, and may have sent back in them.
    func report(skipped: [SkippedItem], by provider: String, redacting secrets: [String] = []) {
        guard let first = skipped.first else { return }
        let reason = Redaction(secrets).applied(to: first.reason)
        warning(
            "items were left out of the catalogue",
            metadata: ["provider": "\(provider)", "items": "\(skipped.count)", "first": "\(reason)"])
    }
}
