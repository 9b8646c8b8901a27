/// Numbers as people read them.
enum PageNumber {
    /// `1 234 567`, with narrow spaces that keep it in one line.
    static func grouped(_ number: Int) -> String {
        var text = String(number.magnitude)
        var end = text.endIndex
        while let index = text.index(end, offsetBy: -3, limitedBy: text.startIndex), index > text.startIndex {
            text.insert("\u{202f}", at: index)
            end = index
        }
        return (number < 0 ? "−" : "") + text
    }

    /// `0 s`, `59 s`, `12 min`, `3 h`, `5 d`: the largest unit there is two of.
    static func time(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        return switch seconds.magnitude {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) d"
        }
    }

    /// `98.7 %`; rounded down, so that 100 % is all.
    static func percent(_ ratio: Double) -> String {
        let thousandths = Int((ratio * 1000).rounded(.down))
        return "\(thousandths / 10).\(thousandths % 10) %"
    }
}
