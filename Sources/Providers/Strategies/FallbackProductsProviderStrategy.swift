package import Configuration
package import Products

/// Asks `primary`; if that throws a failure, asks `secondary`.
///
/// Cancellation is no failure and passes through. When both fail, the primary's failure is thrown, because it is the
/// cause.
package struct FallbackProductsProviderStrategy: ProductsProvider {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "fallback",
        summary: "primary; if it throws, secondary",
        fields: [
            .required("primary", .component(ProviderFamily.self), "asked first"),
            .required("secondary", .component(ProviderFamily.self), "asked when the first fails"),
            .optional(
                "on", .list(.choice(FailureClass.self)), "which failures fall back; all when absent"),
        ],
        example: """
            { type: fallback, primary: { type: http, request: { base_url: "http://shop.example" } }, \
            secondary: { type: file, path: bundled.json } }
            """,
        plan: { reader in
            let primary = reader.component("primary", ProviderFamily.self)
            let secondary = reader.component("secondary", ProviderFamily.self)
            let chosen = reader.has("on") ? Set(reader.choices("on", FailureClass.self)) : nil
            let name = reader.name
            return { assembly in
                FallbackProductsProviderStrategy(
                    name: name, primary: try primary.instantiate(in: assembly),
                    secondary: try secondary.instantiate(in: assembly), on: chosen ?? Set(FailureClass.allCases))
            }
        })

    var name = "fallback"
    let primary: any ProductsProvider
    let secondary: any ProductsProvider
    /// The failures that fall back.
    var on = Set(FailureClass.allCases)

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

/// The kinds of failure that a config file can tell apart.
enum FailureClass: String, Sendable, CaseIterable {
    case unreachable
    case timeout
    /// An answer with a status that is not a success.
    case status
    /// An answer that is no catalogue.
    case malformed
    /// A catalogue that breaks an invariant.
    case refused
    /// Nothing stored, or nothing that may be served.
    case unavailable

    /// Classifies a failure; nil for a cancellation, for which there is no fallback.
    init?(_ failure: ProductsFailure) {
        switch failure {
        case .unreachable: self = .unreachable
        case .timedOut: self = .timeout
        case .upstreamStatus: self = .status
        case .malformed, .tooManyRedirects, .tooLarge: self = .malformed
        case .refused: self = .refused
        case .notStored, .storeFailed, .unavailable, .circuitOpen, .overloaded: self = .unavailable
        case .cancelled: return nil
        }
    }
}
