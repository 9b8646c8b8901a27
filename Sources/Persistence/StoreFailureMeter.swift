internal import CoreMetrics
internal import FileSystem

/// Counts the failures of one store, by reason.
struct StoreFailureMeter: Sendable {
    private let counters: [StoreFailureReason: Counter]

    init(store: String = "", factory: (any MetricsFactory)? = nil) {
        counters = StoreFailureReason.allCases.reduce(into: [:]) { counters, reason in
            counters[reason] = Counter(
                label: "larder_store_failures_total", dimensions: [("store", store), ("reason", reason.rawValue)],
                factory: factory ?? NOOPMetricsHandler.instance)
        }
    }

    func note(_ reason: StoreFailureReason) { counters[reason]?.increment() }
}

/// Why a store failed. The raw value is a metric's label.
enum StoreFailureReason: String, Sendable, Hashable, CaseIterable {
    case diskFull = "disk_full"
    /// Not written: not permitted, or the disk is read-only.
    case notPermitted = "not_permitted"
    /// Not written, for another reason.
    case save
    /// A save has taken longer than a second, and goes on.
    case slow
    case unreadable
    /// A newer version of the service wrote a generation.
    case newerFormat = "newer_format"
    /// A generation differs from the bytes that were written.
    case damaged

    init(saving error: any Error) {
        let error = error as? FileSystemError
        self = error?.isOutOfSpace == true ? .diskFull : error?.isNotPermitted == true ? .notPermitted : .save
    }

    /// - Returns: nil for a generation that has vanished, as when another process has replaced it.
    init?(_ fault: GenerationFault) {
        switch fault {
        case .unreadable(let error) where error.isNotFound: return nil
        case .unreadable: self = .unreadable
        case .newerFormat: self = .newerFormat
        case .damaged: self = .damaged
        }
    }
}
