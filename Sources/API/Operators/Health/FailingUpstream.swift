internal import FoundationEssentials
internal import JSON
internal import Products
internal import Providers

/// A provider whose refreshes fail, as operators see it.
struct FailingUpstream: Sendable {
    /// The provider's label in metrics.
    let provider: String
    let trouble: UpstreamTrouble

    /// `upstream failing for 4m (since 06:36:32 UTC): 401 from http://shop/v2/books; next try in 12s`.
    ///
    /// - Parameter isOnly: whether no other provider fails, so that it need not be named.
    func text(at time: Date, isOnly: Bool = true) -> String {
        let subject = isOnly ? "upstream" : "upstream of \(provider)"
        let age = Duration.seconds(max(0, time.timeIntervalSince(trouble.since)))
        let cause = Self.inOneLine("\(trouble.failure)")
        return "\(subject) failing for \(Self.short(age)) (since \(since(at: time))): \(cause); \(nextTry)"
    }

    /// The member of `failing_upstreams` in `/graph`.
    var json: JSONObject {
        var json: JSONObject = ["provider": .string(provider)]
        json.add(trouble.failure.json)
        json["since"] = .string(trouble.since.formatted(.iso8601))
        if case .after(let pause) = trouble.nextTry { json["next_try_seconds"] = .seconds(pause) }
        return json
    }

    /// Replaces control characters: ids that an upstream sends must not begin a line of a probe's answer.
    static func inOneLine(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        line.append(contentsOf: text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 })
        return String(line)
    }

    /// The time of the day, and the day unless it is today's.
    private func since(at time: Date) -> String {
        let (then, now) = (trouble.since.formatted(.iso8601), time.formatted(.iso8601))
        let day = then.prefix { $0 != "T" }
        let clock = then.dropFirst(day.count + 1).prefix { $0 != "Z" }
        return now.hasPrefix(day) ? "\(clock) UTC" : "\(day) \(clock) UTC"
    }

    private var nextTry: String {
        switch trouble.nextTry {
        case .running: "being tried again"
        case .after(let pause): "next try in \(Self.short(.seconds((pause / .seconds(1)).rounded(.up))))"
        case .onRequest: "next try with the next request"
        }
    }

    /// `59s`, `4m`, `3h`, `5d`: the largest unit there is two of.
    private static func short(_ duration: Duration) -> String {
        PageNumber.time(duration).replacing(" min", with: "m").replacing(" ", with: "")
    }
}

extension [FailingUpstream] {
    /// A sentence for each.
    func texts(at time: Date) -> [String] {
        map { $0.text(at: time, isOnly: count == 1) }
    }
}
