internal import Logging
internal import Products

extension Logger {
    /// Says that items of an upstream were left out, in one line for all of them; nothing when none was.
    ///
    /// - Parameter provider: the node that read them.
    func report(skipped: [SkippedItem], by provider: String) {
        guard let first = skipped.first else { return }
        warning(
            "items were left out of the catalogue",
            metadata: ["provider": "\(provider)", "items": "\(skipped.count)", "first": "\(first.reason)"])
    }
}
