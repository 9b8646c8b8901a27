/// The value of a `tracestate` header, which is passed on as it came, but for what makes it too long.
struct TraceState {
    /// How much of it the standard wants passed on at least; more is not.
    private static let longest = 512
    private static let mostMembers = 32
    /// More than what is left of it could come of: it is not even read.
    private static let mostRead = 8192

    /// Whole members, the most recent ones first.
    let text: String

    /// - Returns: nil for a text that is no list of at most 32 members `key=value`, and for one without members.
    init?(_ text: String) {
        guard text.utf8.count <= Self.mostRead else { return nil }
        // Empty ones, which are allowed, are not many where somebody means them.
        let elements = text.split(separator: ",", maxSplits: 2 * Self.mostMembers)
        let members = elements.map(Self.trimmed).filter { !$0.isEmpty }
        guard (1...Self.mostMembers).contains(members.count), members.allSatisfy(Self.isMember) else { return nil }
        let kept = Self.fitting(members)
        guard !kept.isEmpty else { return nil }
        self.text = kept.joined(separator: ",")
    }

    /// Who is furthest behind is left out first.
    private static func fitting(_ members: [Substring]) -> ArraySlice<Substring> {
        var (kept, length) = (0, -1)
        for member in members {
            length += member.utf8.count + 1
            guard length <= longest else { break }
            kept += 1
        }
        return members[..<kept]
    }

    private static func trimmed(_ member: Substring) -> Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        var member = member.drop(while: isBlank)
        while let last = member.last, isBlank(last) { member.removeLast() }
        return member
    }

    private static func isMember(_ member: Substring) -> Bool {
        let parts = member.split(separator: "=", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
            && member.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }
}
