internal import HTTPServer
internal import Products

/// `GET /readyz` and `/healthz`: 200 if and only if a catalogue can be served, upstream up or down.
///
/// `?verbose` lists the checks in the text form of the Kubernetes API server.
struct ReadinessHandler: HTTPHandler, HealthResponding {
    let readiness: ReadinessTracker
    let wallClock: WallClock
    /// The probe's own name, for the last line of the verbose form.
    let name: String

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        let verdict = readiness.verdict
        let isReady = if case .ready = verdict { true } else { false }
        guard try request.queryItems.contains(where: { $0.name == "verbose" }) else {
            return .ready(health(isGood: isReady, isReady ? "ok\n" : "\(reason(of: verdict))\n"))
        }
        let lines = checks(verdict).map { "[\($0.isGood ? "+" : "-")]\($0.name) \($0.text)" }
        let summary = "\(name) check \(isReady ? "passed" : "failed")"
        return .ready(health(isGood: isReady, (lines + [summary]).joined(separator: "\n") + "\n"))
    }

    private func reason(of verdict: ReadinessTracker.Verdict) -> String {
        switch verdict {
        case .ready: "ok"
        case .empty(let reason): "no catalogue to serve: \(reason)"
        case .draining: "draining"
        }
    }

    private func checks(_ verdict: ReadinessTracker.Verdict) -> [(name: String, isGood: Bool, text: String)] {
        switch verdict {
        case .ready(let answer): [("catalogue", true, "ok: \(facts(of: answer))"), ("drain", true, "ok")]
        case .empty(let reason): [("catalogue", false, "failed: \(reason)"), ("drain", true, "ok")]
        case .draining: [("drain", false, "failed: the service is stopping")]
        }
    }

    private func facts(of answer: ProductsAnswer) -> String {
        let age = answer.snapshot.age(at: wallClock.now()).components.seconds
        let state = answer.freshness.map { $0.isOffline ? ", upstream offline" : "" } ?? ""
        let snapshot = answer.snapshot
        return "\(snapshot.products.count) products, \(age) s old, from \(snapshot.origin.rawValue)\(state)"
    }
}
