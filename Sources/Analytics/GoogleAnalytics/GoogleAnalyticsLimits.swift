/// Limits of the Measurement Protocol. Google Analytics silently ignores data beyond them.
package enum GoogleAnalyticsLimits {
    package static let events = 25
    package static let bytes = 130_000
    package static let parameters = 25
    /// UTF-16 code units in the value of a parameter. The protocol says characters; this is the strictest reading.
    package static let value = 100
    package static let age: Duration = .seconds(72 * 60 * 60)

    /// Whether a value is cut before it is sent.
    package static func isTooLong(_ text: String) -> Bool { text.utf16.count > value }

    /// The longest prefix of whole characters that may be sent.
    static func cut(_ text: String) -> String {
        var left = value
        return String(
            text.prefix { character in
                left -= character.utf16.count
                return left >= 0
            })
    }
}

/// Checks names by the rules of Google Analytics, which silently ignores events and parameters with other names.
package struct GoogleAnalyticsName: Sendable {
    /// Names of events. Reserved are those that Google's tags collect and those that the Measurement Protocol rejects.
    package static let event = GoogleAnalyticsName(reserved: [
        "ad_activeview", "ad_click", "ad_exposure", "ad_impression", "ad_query", "ad_reward", "adunit_exposure",
        "app_background", "app_clear_data", "app_exception", "app_remove", "app_store_refund",
        "app_store_subscription_cancel", "app_store_subscription_convert", "app_store_subscription_renew", "app_update",
        "app_upgrade", "click", "dynamic_link_app_open", "dynamic_link_app_update", "dynamic_link_first_open", "error",
        "file_download", "firebase_campaign", "first_open", "first_visit", "form_start", "form_submit",
        "in_app_purchase", "notification_dismiss", "notification_foreground", "notification_open",
        "notification_receive", "notification_send", "os_update", "page_view", "screen_view", "scroll", "session_start",
        "user_engagement", "video_progress", "video_start", "view_complete", "view_search_results",
    ])
    package static let parameter = GoogleAnalyticsName(reserved: ["firebase_conversion"])

    private static let reservedPrefixes = ["_", "firebase_", "ga_", "google_", "gtag."]
    private let reserved: Set<String>

    /// Explains why a name is ignored; nil for a valid one.
    package func problem(_ name: String) -> String? {
        if name.count > 40 { return "it has more than 40 characters" }
        if let prefix = Self.reservedPrefixes.first(where: name.hasPrefix) { return "\"\(prefix)\" is reserved" }
        if reserved.contains(name) { return "it is reserved" }
        let isLetter = { (byte: UInt8) in (0x61...0x7A).contains(byte | 0x20) }
        let isPlain = name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_") }
        let isGood = isPlain && name.utf8.first.map(isLetter) == true
        return isGood ? nil : "a name is a letter and then letters, digits and underscores"
    }
}
