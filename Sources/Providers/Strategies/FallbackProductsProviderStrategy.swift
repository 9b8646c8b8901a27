package import Products

/// Asks `primary`; if that throws a failure, asks `secondary`.
///
/// Cancellation is no failure and passes through. When both fail, the primary's failure is thrown, because it is the
/// cause.
package struct FallbackProductsProviderStrategy: ProductsProvider {
    private let name: String
    private let primary: any ProductsProvider
    private let secondary: any ProductsProvider
    private let on: Set<FailureClass>

    /// - Parameter on: the failures that fall back.
    package init(
        name: String = "fallback", primary: any ProductsProvider, secondary: any ProductsProvider,
        on: Set<FailureClass> = Set(FailureClass.allCases)
    ) {
        (self.name, self.primary, self.secondary, self.on) = (name, primary, secondary, on)
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        do {
            return try await primary.products(for: request).passingLease()
        } catch {
            let failure = ProductsFailure(error)
            guard let failureClass = FailureClass(failure), on.contains(failureClass) else { throw error }
            let step = TrailStep(node: name, outcome: .failed(failure))
            do {
                return try await secondary.products(for: request).preceded(by: [step])
            } catch is ProductsFailure {
                throw failure
            }
        }
    }
}
