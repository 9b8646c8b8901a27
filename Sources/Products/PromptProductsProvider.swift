/// A provider that often has its answer at hand, and then gives it without a suspension.
///
/// Asking an async function costs several times what it costs to look at a kept answer, so whoever asks for every
/// request looks here first.
public protocol PromptProductsProvider: ProductsProvider {
    /// The answer, or the failure, if it is at hand: the one that `products(for:)` would give, with all that comes of it.
    ///
    /// - Returns: nil if it has to be waited for. Then nothing has happened, and `products(for:)` is to be asked.
    func answerAtHand(for request: ProductsRequest) throws -> ProductsAnswer?
}
