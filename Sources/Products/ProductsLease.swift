package import FoundationEssentials

/// A lease on a published catalogue. It answers requests of one variant as the graph would, without asking it.
///
/// The publishing provider attaches it to its answer, and every provider above passes it on, adds to it, or drops it.
/// The lease that arrives with an answer at the edge holds for later requests of the same variant. Passing on is
/// explicit: a provider that does not call ``ProductsAnswer/passingLease(while:use:)`` drops it.
package final class ProductsLease: Sendable {
    /// A synchronous, cheap check whether a provider would still decide the same.
    package typealias Condition = @Sendable () -> Bool
    /// The effect of a provider on each answer, such as an event. It must not wait. The answer is the one that the
    /// provider gets, without the steps of providers above. The request is made only if a use needs it.
    package typealias Use = @Sendable (_ request: () -> ProductsRequest, _ answer: ProductsAnswer) -> Void

    package let publication: CataloguePublication
    /// The nodes that requests pass.
    package let path: LeasePath
    /// Whether the providers would pass on the publisher's other catalogues as well, so that its readiness is the
    /// graph's, and the lease can be renewed when the publisher replaces the catalogue.
    package let isOfAnyCatalogue: Bool
    private let fresh: ProductsAnswer
    private let stale: ProductsAnswer
    private let conditions: [Condition]
    private let uses: [BoundUse]
    /// The additions of the providers, in order, to repeat them for a lease on another catalogue.
    private let steps: [Step]
    private let origin: Origin

    private typealias Step = @Sendable (ProductsLease) -> ProductsLease
    /// Joins the successors of joined leases; nil if their catalogues have not been joined yet.
    package typealias Join = @Sendable (_ leases: [ProductsLease]) -> ProductsLease?

    private enum Origin: Sendable {
        case publisher
        case joined([ProductsLease], Join)
    }

    /// A use with its answers.
    private typealias BoundUse = @Sendable (_ request: () -> ProductsRequest, _ isStale: Bool) -> Void

    private init(
        _ publication: CataloguePublication, path: LeasePath = [], isOfAnyCatalogue: Bool = true, fresh: ProductsAnswer,
        stale: ProductsAnswer, conditions: [Condition] = [], uses: [BoundUse] = [], steps: [Step] = [],
        origin: Origin = .publisher
    ) {
        self.publication = publication
        self.path = path
        self.isOfAnyCatalogue = isOfAnyCatalogue
        self.fresh = fresh
        self.stale = stale
        self.conditions = conditions
        self.uses = uses
        self.steps = steps
        self.origin = origin
    }

    convenience init(_ publication: CataloguePublication) {
        self.init(publication, fresh: publication.fresh, stale: publication.stale)
    }

    /// Joins the leases of several providers to one on a publication that is joined of theirs.
    package convenience init(joining parts: [LeasedPart], on publication: CataloguePublication, by join: @escaping Join)
    {
        self.init(
            publication, path: LeasePath(joining: parts.map(\.lease.path)),
            isOfAnyCatalogue: parts.allSatisfy(\.lease.isOfAnyCatalogue), fresh: publication.fresh,
            stale: publication.stale, conditions: parts.flatMap(\.lease.conditions),
            uses: parts.flatMap { part in
                part.lease.uses.map { use -> BoundUse in { request, _ in use(request, part.isStale) } }
            }, origin: .joined(parts.map(\.lease), join))
    }

    /// Answers the request, with all effects that asking the graph would have; nil, without any effect, if the graph
    /// has to be asked.
    ///
    /// - Parameter request: read only for a use that asks for it, or a refresh behind the answer.
    package func answer(for request: @autoclosure () -> ProductsRequest, at moment: Date) -> ProductsAnswer? {
        guard let part = part(at: moment), answers(request(), isStale: part.isStale, at: moment) else { return nil }
        return part.answer
    }

    /// Answers as its part at this time, or just before, with all effects that asking the graph would have. Returns
    /// false, without any effect, if its answer would be another, or the graph has to be asked.
    package func answers(
        _ request: @autoclosure () -> ProductsRequest, isStale: Bool, at moment: Date
    ) -> Bool {
        guard let serving = publication.serving(at: moment), serving.isStale == isStale else { return false }
        for condition in conditions where !condition() { return false }
        if serving.isRefreshDue { publication.refreshBehind(request(), at: moment) }
        for use in uses { use(request, isStale) }
        return true
    }

    /// Whether it answers at a given time, without any effect.
    package func holds(at moment: Date) -> Bool { part(at: moment) != nil }

    /// Its answer at a given time, without any effect, to be joined with those of others; nil if the graph has to be
    /// asked.
    package func part(at moment: Date) -> LeasedPart? {
        guard let serving = publication.serving(at: moment), conditions.allSatisfy({ $0() }) else { return nil }
        return LeasedPart(lease: self, answer: serving.isStale ? stale : fresh, isStale: serving.isStale)
    }

    /// Returns the lease on the catalogue that has replaced a withdrawn one; nil if there is none, or a provider might
    /// refuse it.
    package func renewed() -> ProductsLease? {
        guard isOfAnyCatalogue, let next = nextOfOrigin() else { return nil }
        return steps.reduce(next) { $0.taking($1) }
    }

    private func nextOfOrigin() -> ProductsLease? {
        switch origin {
        case .publisher: return publication.next().map { ProductsLease($0) }
        case .joined(let leases, let join):
            let current = leases.compactMap { $0.publication.isCurrent ? $0 : $0.renewed() }
            return current.count == leases.count ? join(current) : nil
        }
    }

    func adding(
        _ node: String? = nil, ofAnyCatalogue isOfAnyCatalogue: Bool = true, while condition: Condition? = nil,
        use: Use?
    ) -> ProductsLease {
        taking { lease in
            var uses = lease.uses
            if let use {
                uses.append { [fresh = lease.fresh, stale = lease.stale] request, isStale in
                    if isStale { use(request, stale) } else { use(request, fresh) }
                }
            }
            return ProductsLease(
                lease.publication, path: node.map(lease.path.adding) ?? lease.path,
                isOfAnyCatalogue: lease.isOfAnyCatalogue && isOfAnyCatalogue, fresh: lease.fresh, stale: lease.stale,
                conditions: lease.conditions + [condition].compactMap(\.self), uses: uses, steps: lease.steps,
                origin: lease.origin)
        }
    }

    func changingTrail(_ change: @escaping @Sendable (ProductsAnswer) -> ProductsAnswer) -> ProductsLease {
        taking { lease in
            ProductsLease(
                lease.publication, path: lease.path, isOfAnyCatalogue: lease.isOfAnyCatalogue,
                fresh: change(lease.fresh), stale: change(lease.stale), conditions: lease.conditions, uses: lease.uses,
                steps: lease.steps, origin: lease.origin)
        }
    }

    private func taking(_ step: @escaping Step) -> ProductsLease {
        let next = step(self)
        return ProductsLease(
            next.publication, path: next.path, isOfAnyCatalogue: next.isOfAnyCatalogue, fresh: next.fresh,
            stale: next.stale, conditions: next.conditions, uses: next.uses, steps: steps + [step], origin: origin)
    }
}

/// The position of a lease on its way up the graph.
enum LeaseTransfer: Sendable {
    case none
    /// Handed to the asking provider, which has not passed it on.
    case handed(ProductsLease)
    /// Passed on by the provider that returns the answer.
    case passed(ProductsLease)

    /// Changes of an answer keep the lease only if the provider has passed it on before.
    func changingTrail(_ change: @escaping @Sendable (ProductsAnswer) -> ProductsAnswer) -> LeaseTransfer {
        guard case .passed(let lease) = self else { return .none }
        return .passed(lease.changingTrail(change))
    }
}

extension ProductsAnswer {
    /// The lease for later requests of the same variant; nil if they have to ask the graph.
    ///
    /// Only observed providers hand leases on, because the observer between two providers checks whether the lower one
    /// has passed the lease on. A graph that is not observed has no leases.
    package var lease: ProductsLease? {
        if case .handed(let lease) = transfer { lease } else { nil }
    }

    /// The answer with a lease on a publication with the same snapshot.
    package func leasing(_ publication: CataloguePublication) -> ProductsAnswer {
        with(.passed(ProductsLease(publication)))
    }

    /// The answer with a lease that was joined for it; without one if there is none.
    package func leasing(_ joined: ProductsLease?) -> ProductsAnswer { with(joined.map(LeaseTransfer.passed) ?? .none) }

    /// Passes the lease of the asked provider on. The provider would answer later requests like this one as long as the
    /// condition holds, with only this effect.
    ///
    /// Call it before changes of the trail, so that answers from the lease have the same changes.
    ///
    /// - Parameter isOfAnyCatalogue: false if the provider has to see each new catalogue, because it may refuse or
    ///   process it.
    package func passingLease(
        ofAnyCatalogue isOfAnyCatalogue: Bool = true, while condition: ProductsLease.Condition? = nil,
        use: ProductsLease.Use? = nil
    ) -> ProductsAnswer {
        guard case .handed(let lease) = transfer else { return withoutLease }
        if isOfAnyCatalogue, condition == nil, use == nil { return with(.passed(lease)) }
        return with(.passed(lease.adding(ofAnyCatalogue: isOfAnyCatalogue, while: condition, use: use)))
    }

    /// Hands the lease that a node has passed on to the asking provider; drops a lease that it has not.
    ///
    /// - Parameter use: the effect of the node's observer on each answer, made from the path up to the node.
    package func handingLease(from node: String, use: (_ path: LeasePath) -> ProductsLease.Use) -> ProductsAnswer {
        guard case .passed(let lease) = transfer else { return withoutLease }
        return with(.handed(lease.adding(node, use: use(lease.path.adding(node)))))
    }

    /// Hands on the lease that a provider without an observer has passed on; drops any other lease.
    package func handingLease() -> ProductsAnswer {
        guard case .passed(let lease) = transfer else { return withoutLease }
        return with(.handed(lease))
    }

    /// The answer without a lease, to be kept longer than its graph.
    package var withoutLease: ProductsAnswer { with(.none) }
}
