internal import Products
internal import Testing

/// One type of provider in the contract's table: how it is made, and where its job makes it differ from the rest.
struct ContractSubject: Sendable, CustomTestStringConvertible {
    /// What a caller sees when the upstream fails.
    enum Failing: Sendable {
        /// The upstream's own failure, by its token.
        case throwing(String)
        /// Another answer, because catching failures is the provider's job.
        case answering
    }

    /// What happens to the upstream when a caller that waits is cancelled.
    enum Cancelling: Sendable {
        /// Its work is cancelled too.
        case passesDown
        /// Nothing, because the work belongs to the provider and not to the caller.
        case staysHere
        /// Nobody ever waits.
        case neverWaits
    }

    /// The type by which it is registered.
    let type: String
    var failing = Failing.throwing("status-503")
    var cancelling = Cancelling.passesDown
    /// Whether an empty catalogue is refused.
    var refusesEmpty = false
    /// Whether callers at the same time share one question to the upstream.
    var sharesQuestions = false
    let make: @Sendable (ContractFixture) throws -> (any ProductsProvider, any ContractUpstream)

    var testDescription: String { type }

    /// A subject over a scripted provider.
    static func wrapping(
        _ type: String, failing: Failing = .throwing("status-503"), cancelling: Cancelling = .passesDown,
        refusesEmpty: Bool = false, sharesQuestions: Bool = false,
        _ make: @escaping @Sendable (ContractFixture, ScriptedProvider) throws -> any ProductsProvider
    ) -> ContractSubject {
        ContractSubject(
            type: type, failing: failing, cancelling: cancelling, refusesEmpty: refusesEmpty,
            sharesQuestions: sharesQuestions
        ) { fixture in
            let upstream = fixture.makeUpstream()
            return (try make(fixture, upstream), ProviderUpstream(provider: upstream, wall: fixture.wall))
        }
    }
}
