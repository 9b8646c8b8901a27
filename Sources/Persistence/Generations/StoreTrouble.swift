internal import CoreMetrics
internal import FileSystem
internal import Health
internal import Logging
internal import Products
package import Prometheus

typealias StoreTroubles = TroubleLog<StoreTrouble>

/// A trouble of one store, by the line that is logged when it begins.
enum StoreTrouble: String, LoggedTrouble {
    case unsaved = "products are served but cannot be saved"
    case slow = "saving the catalogue is slow"
    case unreadable = "the store cannot be read"
    case unloadable = "stored generation cannot be loaded, stepping back to an older one"
    /// Until the next save.
    case damaged = "stored generation is damaged, stepping back to an older one"
    case stuck = "stored generation is damaged and cannot be moved aside"
    case surplus = "cannot remove old generations"
    case pinUnreadable = "the pin cannot be read"
    case pinDamaged = "the file of the pin is damaged, nothing is pinned"
    case pinReplaced = "the pinned generation cannot be served, an older one is"
    case pinIdle = "the pinned generation cannot be served, and there is no older one, so the newest is served"
    case pinUnsaved = "the order about the pin is in force but cannot be written, a restart would forget it"

    var kind: Trouble.Kind { .store }
    var name: String { "\(self)" }
    var beginning: Logger.Message { "\(rawValue)" }

    var level: Logger.Level {
        switch self {
        case .unsaved, .slow, .surplus: .warning
        case .unreadable, .unloadable, .damaged, .stuck, .pinUnreadable, .pinDamaged, .pinReplaced, .pinIdle,
            .pinUnsaved:
            .error
        }
    }

    var end: Logger.Message? {
        switch self {
        case .unsaved: "store recovered"
        case .slow: "saving the catalogue is fast again"
        case .unreadable: "the store can be read again"
        case .unloadable: "the newest stored generation can be loaded again"
        case .pinUnreadable: "the pin can be read again"
        case .pinReplaced, .pinIdle: "the pinned generation is served again"
        case .pinUnsaved: "the order about the pin is written"
        case .damaged, .stuck, .surplus, .pinDamaged: nil
        }
    }
}

/// Counts the failures of one store, by reason.
struct StoreFailureMeter: Sendable {
    private let counters: [StoreFailureReason: Counter]

    init(store: String = "", factory: (any MetricsFactory)? = nil) {
        counters = MetricDescription.storeFailures.counters(by: "reason", [("store", store)], in: factory)
    }

    func record(_ reason: StoreFailureReason, unless isKnown: Bool = false) {
        if !isKnown { counters[reason]?.increment() }
    }
}

/// The reason of a store's failure. The raw value is a metric's label.
enum StoreFailureReason: String, Sendable, Hashable, CaseIterable {
    case diskFull = "disk_full"
    /// Not written: no permission, or a read-only disk.
    case notPermitted = "not_permitted"
    /// Not written, for another reason.
    case save
    /// A save has taken over a second, and goes on.
    case slow
    case unreadable
    /// A newer version of the service wrote a generation.
    case newerFormat = "newer_format"
    /// A generation differs from the bytes written.
    case damaged

    init(saving error: any Error) {
        if error is ReadBackDifference {
            self = .damaged
            return
        }
        let error = error as? FileSystemError
        self = error?.isOutOfSpace == true ? .diskFull : error?.isNotPermitted == true ? .notPermitted : .save
    }

    /// - Returns: nil for a generation that has vanished, for example because another process replaced it.
    init?(_ fault: GenerationFault) {
        switch fault {
        case .unreadable(let error) where error.isNotFound: return nil
        case .unreadable: self = .unreadable
        case .newerFormat: self = .newerFormat
        case .damaged: self = .damaged
        }
    }
}

extension MetricDescription {
    package static let storeFailures = MetricDescription(
        "larder_store_failures", .counter,
        "Saves that failed or took over a second, and generations that could not be loaded, by reason.")
}
