internal import Configuration
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing
internal import Wiring

@testable internal import Providers

/// The rules for every provider. A new type is included when it is registered: the suite fails if the table has no
/// maker for it.
@Suite(.timeLimit(.minutes(1)))
struct ProviderContractTests {
    @Test func `every registered type is under contract, and no other`() {
        #expect(ContractSubject.all.map(\.type) == ProviderFamily.specs.map(\.type))
    }

    @Test(arguments: ContractSubject.inEveryManner)
    func `it answers what its upstream answers`(_ subject: ContractSubject) async throws {
        try await withProvider(subject) { provider, upstream, fixture in
            try upstream.serve(makeProducts(count: 3))
            let answer = try await provider.ask()
            #expect(answer.snapshot.revision == makeCatalogue(count: 3).revision)
            #expect(answer.snapshot.products.map(\.id) == ["p0", "p1", "p2"])
            #expect(answer.snapshot.fetchedAt == fixture.wall.now)
        }
    }

    @Test(arguments: ContractSubject.inEveryManner)
    func `a failure passes through, unless catching it is the provider's job`(_ subject: ContractSubject) async throws {
        try await withProvider(subject) { provider, upstream, _ in
            try upstream.serve(makeProducts())
            try upstream.fail()
            switch subject.failing {
            case .throwing(let token): #expect(try await provider.failure()?.token == token)
            case .answering: #expect(try await provider.ask().failure?.token == "status-503")
            }
        }
    }

    @Test(arguments: ContractSubject.inEveryManner)
    func `after a failure it is as good as before`(_ subject: ContractSubject) async throws {
        try await withProvider(subject) { provider, upstream, fixture in
            try upstream.serve(makeProducts())
            try upstream.fail()
            _ = try? await provider.ask()
            try upstream.serve(makeProducts("Cup"))
            fixture.pass()
            #expect(try await provider.ask().snapshot.revision == makeCatalogue("Cup").revision)
        }
    }

    @Test(arguments: ContractSubject.inEveryManner)
    func `a caller that is cancelled cancels the work it waits for, unless that belongs to the provider`(
        _ subject: ContractSubject
    ) async throws {
        try await withProvider(subject) { provider, upstream, _ in
            try upstream.serve(makeProducts())
            upstream.hang()
            let caller = Task { try await provider.ask() }
            await upstream.waitForCaller()
            caller.cancel()
            switch subject.cancelling {
            case .passesDown:
                await upstream.waitForCancellation()
                await #expect(throws: CancellationError.self) { try await caller.value }
            case .staysHere:
                upstream.stop()
                _ = await caller.result
                #expect(try await provider.ask().snapshot.revision == makeCatalogue().revision)
            case .neverWaits:
                #expect(try await caller.value.snapshot.revision == makeCatalogue().revision)
            }
        }
    }

    @Test(arguments: ContractSubject.inEveryManner)
    func `a hundred callers at once all get the answer`(_ subject: ContractSubject) async throws {
        try await withProvider(subject) { provider, upstream, _ in
            try upstream.serve(makeProducts())
            let revisions = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<100 { group.addTask { try await provider.ask().snapshot.revision } }
                return try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(revisions == [makeCatalogue().revision: 100])
            guard let scripted = upstream as? ProviderUpstream else { return }
            let most = subject.sharesQuestions ? 1 : 100
            #expect(subject.usesLeases ? (1...most).contains(scripted.provider.calls) : scripted.provider.calls == most)
        }
    }

    @Test(arguments: ContractSubject.inEveryManner)
    func `an empty catalogue is an answer, unless refusing it is the provider's job`(_ subject: ContractSubject)
        async throws
    {
        try await withProvider(subject) { provider, upstream, _ in
            try upstream.serve([])
            if subject.refusesEmpty {
                #expect(try await provider.failure() == .refused(.empty(count: 0, minimum: 1)))
            } else {
                #expect(try await provider.ask().snapshot.products.isEmpty)
            }
        }
    }

    @Test(arguments: ContractSubject.inEveryManner)
    func `it follows an upstream that changes`(_ subject: ContractSubject) async throws {
        try await withProvider(subject) { provider, upstream, fixture in
            for name in ["Mug", "Cup", "Cup", "Mug", "Jug"] {
                try upstream.serve(makeProducts(name))
                fixture.pass()
                let snapshot = try await provider.ask().snapshot
                #expect(snapshot.revision == makeCatalogue(name).revision)
                #expect(snapshot.fetchedAt == fixture.wall.now)
            }
        }
    }

    @Test(arguments: ContractSubject.inEveryManner)
    func `nothing of it is left when the last call has ended and nobody holds it`(_ subject: ContractSubject)
        async throws
    {
        try await withClient { client in
            let fixture = try ContractFixture(client: client)
            try await use(subject, fixture)
            await fixture.waitForRelease()
        }
    }

    /// Asks in every way there is and lets go of everything.
    private func use(_ subject: ContractSubject, _ fixture: ContractFixture) async throws {
        let (provider, upstream) = try subject.make(fixture)
        defer { upstream.stop() }
        try upstream.serve(makeProducts())
        for _ in 0..<3 { _ = try await provider.ask() }
        try upstream.fail()
        fixture.pass()
        _ = try? await provider.ask()
        upstream.hang()
        let caller = Task { try await provider.ask() }
        caller.cancel()
        upstream.stop()
        _ = await caller.result
    }

    private func withProvider(
        _ subject: ContractSubject,
        _ body: (any ProductsProvider, any ContractUpstream, ContractFixture) async throws -> Void
    ) async throws {
        try await withClient { client in
            let fixture = try ContractFixture(client: client)
            let (provider, upstream) = try subject.make(fixture)
            defer { upstream.stop() }
            try await body(provider, upstream, fixture)
        }
    }
}
