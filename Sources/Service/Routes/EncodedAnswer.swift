/// The answer to one question about one revision, in the bytes that clients get.
final class EncodedAnswer: Sendable {
    let representation: Representation
    /// The cursor to the next page; nil when there is none.
    let next: String?
    /// The heads as they were last made, but for the link, which repeats each client's own spelling of the query.
    let headMemo = HeadMemo()

    init(_ representation: Representation, next: String? = nil) {
        self.representation = representation
        self.next = next
    }

    /// The same, whose body keeps something else alive.
    func holding(_ companion: any AnyObject & Sendable) -> EncodedAnswer {
        EncodedAnswer(representation.holding(companion), next: next)
    }

    /// Returns a copy whose body retains `tally` until it is released.
    func counted(by tally: any AnyObject & Sendable) -> EncodedAnswer {
        EncodedAnswer(representation.counted(by: tally), next: next)
    }

    /// The same in gzip where that is shorter, and else itself. It may take milliseconds: make it off the event loops.
    var compressed: EncodedAnswer {
        let compressed = representation.compressed
        return compressed.coding == representation.coding ? self : EncodedAnswer(compressed, next: next)
    }

    /// The same in gzip, for those who want nothing else; itself where it is that.
    ///
    /// What is not in gzip although that was asked for is short, so this takes no time worth leaving a loop for.
    var gzipped: EncodedAnswer {
        representation.coding == .gzip ? self : EncodedAnswer(representation.gzipped, next: next)
    }
}
