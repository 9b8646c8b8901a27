internal import Configuration

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
