public import CoreMetrics
import FileSystem

/// Counts the failures of one store, by reason.
public struct StoreFailureMeter: Sendable {
    private let counters: [StoreFailureReason: Counter]

    /// A meter.
    ///
    /// - Parameters:
    ///   - store: what metrics call the store.
    ///   - factory: where it is recorded; nowhere unless given.
    public init(store: String = "", factory: (any MetricsFactory)? = nil) {
        let counters = StoreFailureReason.allCases.map { reason in
            let counter = Counter(
                label: "larder_store_failures_total", dimensions: [("store", store), ("reason", reason.rawValue)],
                factory: factory ?? NOOPMetricsHandler.instance)
            return (reason, counter)
        }
        self.counters = Dictionary(uniqueKeysWithValues: counters)
    }

    func note(_ reason: StoreFailureReason) { counters[reason]?.increment() }
}

/// Why a store failed. The raw value is a metric's label.
public enum StoreFailureReason: String, Sendable, Hashable, CaseIterable {
    /// A generation was not written: there is no room.
    case diskFull = "disk_full"
    /// A generation was not written: that is not allowed, or the disk is read-only.
    case notPermitted = "not_permitted"
    /// A generation was not written, for another reason.
    case save
    /// A save has taken longer than a second, and goes on.
    case slow
    /// A generation is there and the system does not give it out.
    case unreadable
    /// A generation was written by a newer version of the service.
    case newerFormat = "newer_format"
    /// A generation is not what was written.
    case damaged

    init(saving error: any Error) {
        let error = error as? FileSystemError
        self = error?.isOutOfSpace == true ? .diskFull : error?.isNotPermitted == true ? .notPermitted : .save
    }

    /// - Returns: nil for a generation that is not there any more, as when another process has replaced it.
    init?(_ fault: GenerationFault) {
        switch fault {
        case .unreadable(let error) where error.isNotFound: return nil
        case .unreadable: self = .unreadable
        case .newerFormat: self = .newerFormat
        case .damaged: self = .damaged
        }
    }
}
