internal import HTTPServer
internal import Products

/// `GET /readyz` and `/healthz`: 200 if and only if a catalogue can be served, upstream up or down.
///
/// The log says when it begins to fail, and when it passes again, and not each time.
///
/// `?verbose` lists the checks in the text form of the Kubernetes API server, `&exclude=NAME` leaves one out.
struct ReadinessHandler: HTTPHandler, HealthResponding {
    let readiness: ReadinessTracker
    let wallClock: WallClock
    /// The probe's own name, for the last line of the verbose form.
    let name: String

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        let time = wallClock.now()
        let (catalogue, isDraining) = (readiness.catalogue, readiness.isDraining)
        readiness.noteProbe(ReadinessTracker.Verdict(catalogue, isDraining: isDraining))
        let checks: [HealthCheck] = [
            .catalogue(catalogue, failing: readiness.failing, at: time), .drain(isDraining: isDraining),
        ]
        return .ready(try health(name, at: time, checks, for: request))
    }
}
