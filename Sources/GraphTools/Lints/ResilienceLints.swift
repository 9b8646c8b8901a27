internal import Configuration

/// Retries within retries multiply: an upstream that fails is asked more often, the worse it fares.
struct NestedRetryLint: Lint {
    func problems(in graph: LintedGraph) -> [Diagnostic] {
        graph.providers("retry").flatMap { outer in
            outer.providersBelow(stoppingAt: []).filter { $0.isProvider("retry") && $0.id != outer.id }
                .map { inner in problem(inner, within: outer) }
        }
    }

    private func problem(_ inner: ComponentOutline, within outer: ComponentOutline) -> Diagnostic {
        var message = "a retry within \(outer.called)"
        if let more = outer.settings.integer("attempts"), let tries = inner.settings.integer("attempts"),
            (1...10).contains(more), (1...10).contains(tries)
        {
            message += " makes up to \(more * tries) tries of one request"
        } else {
            message += " multiplies the tries of one request"
        }
        return Diagnostic(.warning, at: inner.position, message + "; keep one of the two")
    }
}

/// Tries that do not fit into a deadline above them: the last ones are called off, whatever they were about to bring.
struct TightDeadlineLint: Lint {
    func problems(in graph: LintedGraph) -> [Diagnostic] {
        let wait = LongestWait(graph)
        return graph.providers("timeout").flatMap { deadline -> [Diagnostic] in
            guard let limit = deadline.settings.duration("after") else { return [] }
            // What a memory asks for goes on when the one who asked has gone; an inner deadline is looked at by itself.
            return deadline.providersBelow(stoppingAt: ["memory", "timeout"]).filter { $0.isProvider("retry") }
                .compactMap { problem($0, under: deadline, limit, wait) }
        }
    }

    private func problem(
        _ retry: ComponentOutline, under deadline: ComponentOutline, _ limit: Duration, _ wait: LongestWait
    ) -> Diagnostic? {
        let tries = LongestWait.tries(of: retry)
        let single = retry.providers.map { wait($0.outline) }.max() ?? .zero
        guard tries > 1, single * tries > limit else { return nil }
        let message = """
            \(tries) tries of up to \(DurationText.format(single)) each do not fit into the \
            \(DurationText.format(limit)) of \(deadline.called)
            """
        return Diagnostic(.warning, at: retry.settings.position(of: "attempts"), message)
    }
}

/// A limit for connecting that the limit for the whole request cuts short.
struct ConnectTimeoutLint: Lint {
    func problems(in graph: LintedGraph) -> [Diagnostic] {
        graph.providers("http").compactMap { http in
            guard let place = http.settings.given("connect_timeout")?.position,
                let connecting = http.settings.duration("connect_timeout"),
                let whole = http.settings.duration("timeout"), connecting > whole
            else { return nil }
            return Diagnostic(
                .warning, at: place,
                "connect_timeout is longer than the timeout of the whole request, \(DurationText.format(whole))")
        }
    }
}

/// A deadline above a circuit breaker that ends before what is below it: the breaker is told that nobody waits any more,
/// and never that the upstream is slow.
struct InterruptedBreakerLint: Lint {
    func problems(in graph: LintedGraph) -> [Diagnostic] {
        let wait = LongestWait(graph)
        return graph.providers("timeout").flatMap { deadline -> [Diagnostic] in
            guard let limit = deadline.settings.duration("after") else { return [] }
            return deadline.providersBelow(stoppingAt: ["memory", "timeout"])
                .filter { $0.isProvider("circuit_breaker") }
                .compactMap { breaker in
                    let slowest = wait(breaker)
                    guard slowest >= limit else { return nil }
                    return Diagnostic(.warning, at: breaker.position, message(deadline, limit, slowest))
                }
        }
    }

    private func message(_ deadline: ComponentOutline, _ limit: Duration, _ slowest: Duration) -> String {
        """
        the breaker never sees the upstream time out: after \(DurationText.format(limit)) \(deadline.called) ends what \
        may take \(DurationText.format(slowest)) below; put the timeout below the breaker
        """
    }
}

/// How long each provider of a graph may take to answer or fail, by what the config says about time.
///
/// A lower bound of the longest wait: catalogues on many pages and the pauses between tries take longer.
struct LongestWait {
    private let waits: [String: Duration]

    init(_ graph: LintedGraph) {
        waits = graph.bottomUp { outline, below in
            min(Self.wait(outline, below.map(\.value)), Self.longest)
        }
    }

    /// The wait for one provider.
    func callAsFunction(_ outline: ComponentOutline) -> Duration { waits[outline.id] ?? .zero }

    /// Numbers beyond all sense must not overflow.
    private static let longest: Duration = .seconds(1_000_000_000)

    private static func wait(_ outline: ComponentOutline, _ below: [Duration]) -> Duration {
        let longest = below.max() ?? .zero
        let settings = outline.settings
        switch outline.type {
        case "http": return settings.duration("timeout") ?? .zero
        case "timeout": return min(longest, settings.duration("after") ?? longest)
        case "retry": return longest * Self.tries(of: outline)
        case "fault": return longest + min(settings.duration("delay") ?? .zero, Self.longest)
        case "fallback", "ab_test": return below.reduce(.zero, +)
        default: return longest
        }
    }

    /// How often a `retry` tries.
    static func tries(of retry: ComponentOutline) -> Int {
        min(max(1, retry.settings.integer("attempts") ?? 1), 10)
    }
}
