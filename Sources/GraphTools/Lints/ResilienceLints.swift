internal import Configuration
internal import Providers
internal import Text
internal import Wiring

/// Warns of retries within retries: their attempts multiply, so a failing upstream gets the most requests.
struct NestedRetryLint: Lint {
    func problems(in graph: [ComponentOutline]) -> [Diagnostic] {
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

/// Warns of attempts that exceed a deadline above them: the last ones are always cancelled.
struct TightDeadlineLint: Lint {
    func problems(in graph: [ComponentOutline]) -> [Diagnostic] {
        let wait = LongestWait(graph)
        return graph.providers("timeout").flatMap { deadline -> [Diagnostic] in
            guard let limit = deadline.settings.duration("after") else { return [] }
            // A memory's refresh outlives the request that started it, and an inner deadline is checked separately.
            return deadline.providersBelow(stoppingAt: ["memory", "timeout"]).filter { $0.isProvider("retry") }
                .compactMap { problem($0, under: deadline, limit, wait) }
        }
    }

    private func problem(
        _ retry: ComponentOutline, under deadline: ComponentOutline, _ limit: Duration, _ wait: LongestWait
    ) -> Diagnostic? {
        let tries = RetryProductsProviderDecorator.tries(retry.settings)
        let single = retry.providers.map { wait($0.outline) }.max() ?? .zero
        guard tries > 1, single * tries > limit else { return nil }
        let message = """
            \(tries) tries of up to \(DurationText.format(single)) each do not fit into the \
            \(DurationText.format(limit)) of \(deadline.called)
            """
        return Diagnostic(.warning, at: retry.settings.position(of: "attempts"), message)
    }
}

/// Warns of a connect timeout longer than the timeout of the whole request.
struct ConnectTimeoutLint: Lint {
    func problems(in graph: [ComponentOutline]) -> [Diagnostic] {
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

/// Warns of a URL with the standard port of the other scheme, where every request fails.
struct ForeignPortLint: Lint {
    private static let fields = ["provider": "request.base_url", "monitor": "url"]
    private static let ports = ["http": ("443", "https"), "https": ("80", "http")]

    func problems(in graph: [ComponentOutline]) -> [Diagnostic] {
        graph.compactMap { component in
            guard component.type == "http", let field = Self.fields[component.family],
                let url = component.settings.text(field), let separator = url.firstRange(of: "://")
            else { return nil }
            let scheme = url[..<separator.lowerBound].lowercased()
            let authority = url[separator.upperBound...].prefix { !"/?#".contains($0) }
            guard let (port, other) = Self.ports[scheme], authority.hasSuffix(":\(port)") else { return nil }
            return Diagnostic(
                .warning, at: component.settings.position(of: field),
                "port \(port) is that of \(other), and the URL begins with \"\(scheme)\"; change one of the two")
        }
    }
}

/// The longest time that each provider of a graph may take to answer or fail, by the settings about time.
///
/// It is a lower bound: catalogues of many pages and the pauses between attempts take longer.
struct LongestWait {
    /// A bound that prevents an overflow of sums of absurd settings.
    private static let longest: Duration = .seconds(1_000_000_000)

    private var waits: [String: Duration] = [:]

    init(_ graph: [ComponentOutline]) {
        for outline in graph where outline.family == "provider" { _ = add(outline) }
    }

    /// The wait for one provider.
    func callAsFunction(_ outline: ComponentOutline) -> Duration { waits[outline.id] ?? .zero }

    private mutating func add(_ outline: ComponentOutline) -> Duration {
        if let known = waits[outline.id] { return known }
        var below: [Duration] = []
        for child in outline.providers { below.append(add(child.outline)) }
        let wait = min(outline.longestWait(below), Self.longest)
        waits[outline.id] = wait
        return wait
    }
}
