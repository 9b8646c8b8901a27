/// How a request comes and how its answer is found.
struct Way: Sendable {
    let transport: Transport
    let manner: Manner

    /// Every one of them.
    static let all = Transport.allCases.flatMap { transport in
        Manner.allCases.map { Way(transport: transport, manner: $0) }
    }
}
