package import FoundationEssentials
package import Health
package import JSON
internal import Products
package import Providers
internal import Text

/// A provider whose refreshes fail, as operators see it.
package struct FailingUpstream: Sendable {
    /// The provider's label in metrics.
    package let provider: String
    package let trouble: UpstreamTrouble

    package init(provider: String, trouble: UpstreamTrouble) {
        (self.provider, self.trouble) = (provider, trouble)
    }

    /// `upstream failing for 4m (since 06:36:32 UTC): 401 from http://shop/v2/books; next try in 12s`.
    ///
    /// - Parameter isOnly: whether no other provider fails, so that its name is left out.
    package func text(at time: Date, isOnly: Bool = true) -> String {
        let subject = isOnly ? "upstream" : "upstream of \(provider)"
        let cause = Self.inOneLine("\(trouble.failure)")
        return "\(subject) failing for \(TroubleTime(trouble.since, at: time)): \(cause); \(nextTry)"
    }

    /// The member of `failing_upstreams` in `/graph`.
    package var json: JSONObject {
        var json: JSONObject = ["provider": .string(provider)]
        json.add(trouble.failure.json)
        json["since"] = .string(trouble.since.formatted(.iso8601))
        if case .after(let pause) = trouble.nextTry { json["next_try_seconds"] = .seconds(pause) }
        return json
    }

    /// Replaces line breaks and control characters, so that ids from an upstream cannot forge lines of a probe's
    /// response.
    package static func inOneLine(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        line.append(contentsOf: text.unicodeScalars.map { $0.isSteering ? " " : $0 })
        return String(line)
    }

    private var nextTry: String {
        switch trouble.nextTry {
        case .running: "being tried again"
        case .after(let pause): "next try in \(TroubleTime.short(.seconds((pause / .seconds(1)).rounded(.up))))"
        case .onRequest: "next try with the next request"
        }
    }
}

extension [FailingUpstream] {
    /// One sentence for each.
    package func texts(at time: Date) -> [String] {
        map { $0.text(at: time, isOnly: count == 1) }
    }
}

extension Trouble {
    /// `monitor shop for 4m (since 06:36:32 UTC): unreachable: connection refused`.
    package func text(at time: Date) -> String {
        let subject = part.isEmpty ? kind.name : "\(kind.name) \(part)"
        return "\(subject) for \(TroubleTime(since, at: time)): \(FailingUpstream.inOneLine(cause))"
    }

    /// The member of `troubles` in `/graph`.
    package var json: JSONObject {
        [
            "kind": .string(kind.rawValue), "part": .string(part), "cause": .string(cause),
            "since": .string(since.formatted(.iso8601)),
        ]
    }
}

extension Trouble.Kind {
    /// The part's name before its label.
    fileprivate var name: String {
        switch self {
        case .breaker: "circuit breaker"
        case .quarantine: "gate"
        case .sharedStore: "shared store"
        case .analytics: "sink"
        case .keys: "API keys"
        case .upstream, .monitor, .source, .store, .telemetry, .reload, .certificate, .clock, .index: rawValue
        }
    }
}

/// The length of a trouble and its beginning: `4m (since 06:36:32 UTC)`, with the day unless it is today's.
package struct TroubleTime: CustomStringConvertible {
    package let description: String

    package init(_ since: Date, at time: Date) {
        let (then, now) = (since.formatted(.iso8601), time.formatted(.iso8601))
        let day = then.prefix { $0 != "T" }
        let clock = then.dropFirst(day.count + 1).prefix { $0 != "Z" }
        let text = now.hasPrefix(day) ? "\(clock) UTC" : "\(day) \(clock) UTC"
        description = "\(Self.short(.seconds(max(0, time.timeIntervalSince(since))))) (since \(text))"
    }

    /// `59s`, `4m`, `3h`, `5d`: the largest unit with a count of at least two.
    package static func short(_ duration: Duration) -> String {
        ReadableNumber.time(duration).replacing(" min", with: "m").replacing(" ", with: "")
    }
}

/// Numbers as people read them.
package enum ReadableNumber {
    /// `1 234 567`, with narrow spaces that keep it in one line.
    package static func grouped(_ number: Int) -> String {
        var text = String(number.magnitude)
        var end = text.endIndex
        while let index = text.index(end, offsetBy: -3, limitedBy: text.startIndex), index > text.startIndex {
            text.insert("\u{202f}", at: index)
            end = index
        }
        return (number < 0 ? "−" : "") + text
    }

    /// `0 s`, `59 s`, `12 min`, `3 h`, `5 d`: the largest unit with a count of at least two.
    package static func time(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        return switch seconds.magnitude {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) d"
        }
    }

    /// `98.7 %`; rounded down, so that 100 % is all.
    package static func percent(_ ratio: Double) -> String {
        let thousandths = Int((ratio * 1000).rounded(.down))
        return "\(thousandths / 10).\(thousandths % 10) %"
    }
}
