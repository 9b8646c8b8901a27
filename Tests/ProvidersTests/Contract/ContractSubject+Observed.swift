internal import Products

extension ContractSubject {
    /// All subjects, and all once more as they are when somebody looks at the graph: watching changes nothing.
    static var plainAndObserved: [ContractSubject] { all + all.map(\.observed) }

    private var observed: ContractSubject {
        ContractSubject(
            type: "\(type), observed", failing: failing, cancelling: cancelling, refusesEmpty: refusesEmpty,
            sharesQuestions: sharesQuestions
        ) { fixture in
            let (provider, upstream) = try make(fixture)
            return (ProvidersTests.observed(provider, "root"), upstream)
        }
    }
}
