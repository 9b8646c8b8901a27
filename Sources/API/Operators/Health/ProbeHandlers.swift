package import Concurrency
internal import HTTPServer
internal import Products

/// `GET /livez`: 200 while the loop that answers turns. It depends on nothing else, because a restart helps nothing else.
package struct LivenessHandler: HTTPHandler, HealthResponding {
    /// That this is answered at all.
    private static let turning = HealthCheck(name: "loop", aspects: [.init(name: "loop", status: .pass)])
    let wallClock: WallClock

    package init(wallClock: WallClock) {
        self.wallClock = wallClock
    }

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        .ready(try health("livez", at: wallClock.now(), [Self.turning], for: request))
    }
}

/// `GET /readyz` and `/healthz`: 200 if and only if a catalogue can be served, upstream up or down.
///
/// The log says when it begins to fail, and when it passes again, and not each time.
///
/// `?verbose` lists the checks in the text form of the Kubernetes API server, `&exclude=NAME` leaves one out.
package struct ReadinessHandler: HTTPHandler, HealthResponding {
    let readiness: ReadinessTracker
    let wallClock: WallClock
    /// The probe's own name, for the last line of the verbose form.
    let name: String

    package init(readiness: ReadinessTracker, wallClock: WallClock, name: String) {
        self.readiness = readiness
        self.wallClock = wallClock
        self.name = name
    }

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

extension LivenessHandler {
    /// The route in OpenAPI.
    package static let description = RouteDescription(
        id: "livez", summary: "Whether the process works", parameters: probeParameters(excluding: "loop"),
        answers: [probed(200, "It does."), malformedProbe])
}

extension ReadinessHandler {
    /// The route in OpenAPI.
    package var description: RouteDescription {
        RouteDescription(
            id: name, summary: "Whether there is a catalogue to serve, upstream up or down",
            parameters: Self.probeParameters(excluding: "drain"),
            answers: [
                Self.probed(200, "There is."),
                Self.probed(503, "There is none, or the service is stopping."),
                Self.malformedProbe,
            ])
    }
}
