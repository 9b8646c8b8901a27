internal import HTTPServer

/// A body that clients can keep, and what names it.
struct Representation: Sendable {
    let body: HTTPBody
    /// How the body is coded.
    let coding: ContentCoding
    /// A strong entity tag, quotes included.
    let entityTag: String
    /// The header `ETag`.
    let tagHead: HTTPHeaderBlock

    /// Below this the head is most of an answer, and a client gains nothing by unpacking the rest: with its head such an
    /// answer fits into one packet.
    private static let smallest = 860

    /// - Parameter entityTag: without one it is made from the content.
    init(body: HTTPBody, entityTag: String? = nil) {
        self.init(body: body, coding: .identity, entityTag: entityTag ?? EntityTag.strong(for: body))
    }

    private init(body: HTTPBody, coding: ContentCoding, entityTag: String) {
        self.body = body
        self.coding = coding
        self.entityTag = entityTag
        tagHead = Self.head(of: entityTag)
    }

    /// The same, whose body keeps something else alive.
    func holding(_ companion: any AnyObject & Sendable) -> Representation {
        Representation(body: body.holding(companion), coding: coding, entityTag: entityTag)
    }

    /// Returns a copy whose body retains `tally` until it is released.
    func counted(by tally: any AnyObject & Sendable) -> Representation {
        Representation(body: body.counted(by: tally), coding: coding, entityTag: entityTag)
    }

    /// Whether it may be worth a try to compress it.
    var isWorthCompressing: Bool { coding == .identity && body.count >= Self.smallest }

    /// The same in gzip where that is shorter, and else itself. It may take milliseconds: make it off the event loops.
    var compressed: Representation {
        guard isWorthCompressing else { return self }
        let gzipped = gzipped
        return gzipped.body.count < body.count ? gzipped : self
    }

    /// The same in gzip, whatever its length; itself when there is no memory for that.
    var gzipped: Representation {
        guard coding == .identity, let zipped = body.gzipped() else { return self }
        return Representation(body: zipped, coding: .gzip, entityTag: EntityTag.gzipped(entityTag))
    }

    /// A tag is made of what may be in a header.
    private static func head(of entityTag: String) -> HTTPHeaderBlock {
        var head = HTTPHeaderBlock()
        do { try head.append("ETag", entityTag) } catch { preconditionFailure("\(error)") }
        return head
    }
}
