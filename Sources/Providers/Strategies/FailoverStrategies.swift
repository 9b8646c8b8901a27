package import Networking
package import Products

/// Asks `remote` while the monitor says reachable, else `local`.
///
/// A failure of `remote` passes through; falling back on it is the job of `fallback`. A forced refresh asks `remote`
/// whatever the monitor reports, since the monitor may not have noticed yet that the upstream is back. A refresh that
/// puts an operator's choice into force does not, since it would wait for an unreachable upstream.
package final class ReachabilityProductsProviderStrategy: ProductsProvider {
    private let name: String
    private let monitor: any ReachabilityMonitor
    private let remote: any ProductsProvider
    private let local: any ProductsProvider

    package init(
        name: String = "reachability", monitor: any ReachabilityMonitor, remote: any ProductsProvider,
        local: any ProductsProvider
    ) {
        (self.name, self.monitor, self.remote, self.local) = (name, monitor, remote, local)
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let problem = monitor.problem
        guard var offline = unreachable(because: problem) else { return try await askRemote(request) }
        if let order = request.order, order.isForced, !order.isUrgent {
            do {
                return try await askRemote(request)
            } catch let failure as ProductsFailure where failure != .cancelled {
                offline = failure
            }
        }
        do {
            return try await local.products(for: request)
                .passingLease(
                    ofAnyCatalogue: false, while: { [monitor] in !monitor.isReachable && monitor.problem == problem }
                )
                .preceded(by: [TrailStep(node: name, outcome: .failed(offline))])
        } catch ProductsFailure.notStored {
            // The reason why there is no catalogue.
            throw offline
        }
    }

    /// The failure of an upstream that the monitor considers unreachable; nil otherwise.
    private func unreachable(because problem: String?) -> ProductsFailure? {
        if monitor.isReachable { return nil }
        let cause = problem.map { "its monitor reports \($0)" }
        return .unreachable(.offline, detail: cause ?? "its monitor reports it")
    }

    private func askRemote(_ request: ProductsRequest) async throws -> ProductsAnswer {
        try await remote.products(for: request)
            .passingLease(ofAnyCatalogue: false, while: { [monitor] in monitor.isReachable })
    }
}

extension ReachabilityProductsProviderStrategy: StateReporting {
    package var report: ProviderReport {
        ProviderReport(entries: [LiveStateEntry("reachable", monitor.isReachable ? "yes" : "no")])
    }
}

/// Records in a monitor whether requests reach its upstream, also those that a lease answers: a connection that fails counts
/// like a failed probe, also where a fallback below has made it good.
///
/// The config composes it above `remote` of a `reachability`.
package struct ReachabilityRecordingProductsProviderDecorator: ProductsProvider {
    private let upstream: any ProductsProvider
    private let monitor: any ReachabilityMonitor

    package init(upstream: any ProductsProvider, monitor: any ReachabilityMonitor) {
        (self.upstream, self.monitor) = (upstream, monitor)
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        do {
            let answer = try await upstream.products(for: request)
            Self.record(answer.failure, in: monitor)
            return answer.passingLease(
                ofAnyCatalogue: false, use: { [monitor] in Self.record($1.failure, in: monitor) }
            ).handingLease()
        } catch let failure as ProductsFailure {
            Self.record(failure, in: monitor)
            throw failure
        }
    }

    private static func record(_ failure: ProductsFailure?, in monitor: any ReachabilityMonitor) {
        guard let failure else { return monitor.recordSuccess() }
        if failure.isConnectionFailure { monitor.recordFailure("\(failure)") }
    }
}

/// Asks `primary`; if that throws a failure, asks `secondary`.
///
/// Cancellation is no failure and passes through. When both fail, the primary's failure is thrown, because it is the
/// cause.
package struct FallbackProductsProviderStrategy: ProductsProvider {
    private let name: String
    private let primary: any ProductsProvider
    private let secondary: any ProductsProvider
    private let on: Set<FailureClass>

    /// - Parameter on: the failures that fall back.
    package init(
        name: String = "fallback", primary: any ProductsProvider, secondary: any ProductsProvider,
        on: Set<FailureClass> = Set(FailureClass.allCases)
    ) {
        (self.name, self.primary, self.secondary, self.on) = (name, primary, secondary, on)
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        do {
            return try await primary.products(for: request).passingLease()
        } catch {
            let failure = ProductsFailure(error)
            guard let failureClass = FailureClass(failure), on.contains(failureClass) else { throw error }
            let step = TrailStep(node: name, outcome: .failed(failure))
            do {
                return try await secondary.products(for: request).preceded(by: [step])
            } catch is ProductsFailure {
                throw failure
            }
        }
    }
}

/// The classes of failure that `fallback` distinguishes.
package enum FailureClass: String, Sendable, CaseIterable {
    case unreachable
    case timeout
    /// A response with an unsuccessful status.
    case status
    /// A response that is not a catalogue.
    case malformed
    /// A catalogue that breaks an invariant.
    case refused
    /// No catalogue is stored, or none may be served.
    case unavailable

    /// Classifies a failure; nil for a cancellation, for which there is no fallback.
    package init?(_ failure: ProductsFailure) {
        switch failure {
        case .unreachable: self = .unreachable
        case .timedOut: self = .timeout
        case .upstreamStatus: self = .status
        case .malformed, .tooManyRedirects, .tooLarge: self = .malformed
        case .refused: self = .refused
        case .notStored, .storeFailed, .unavailable, .paused, .circuitOpen, .overloaded: self = .unavailable
        case .cancelled: return nil
        }
    }
}
