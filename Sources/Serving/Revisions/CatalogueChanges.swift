internal import HTTPServer
internal import JSON
internal import Products

/// The difference of the catalogue in force from another revision, in the bytes that clients get.
struct CatalogueChanges {
    private let difference: CatalogueDifference
    private let listing: EncodedListing

    /// The most ids of an event.
    private static let mostIDs = 10_000

    /// Compares the catalogues; takes some milliseconds for each ten thousand products.
    init(from before: Catalogue, to listing: EncodedListing) {
        difference = CatalogueDifference(from: before, to: listing.catalogue)
        self.listing = listing
    }

    func representation(as form: ChangesForm) -> Representation {
        switch form {
        case .document: document
        // An event needs no tag, which would cost a hash.
        case .event: Representation(body: event, entityTag: "\"\"")
        }
    }

    /// The document with the products, encoded as in `/products`.
    private var document: Representation {
        let (before, after, view) = (difference.from, difference.to, listing.plain)
        var bytes = Array(#"{"revision":"\#(after.revision)","since":"\#(before.revision)","added":["#.utf8)
        Self.append(difference.added, to: &bytes) { view.append(productAt: $0, to: &$1) }
        bytes += #"],"changed":["#.utf8
        Self.append(difference.changed, to: &bytes) { view.append(productAt: $0.after, to: &$1) }
        bytes += #"],"removed":["#.utf8
        Self.append(difference.removed, to: &bytes) { JSONWriter.append(before.text(at: $0).id, to: &$1) }
        bytes += "]}".utf8
        let tag = view.whole.representation.entityTag.dropFirst()
        return Representation(body: HTTPBody(bytes: bytes), entityTag: "\"\(before.revision)-\(tag)")
    }

    /// The event with the ids alone, up to the limit.
    private var event: HTTPBody {
        let (before, after) = (difference.from, difference.to)
        var room = Self.mostIDs
        func ids(_ positions: [Int], of catalogue: Catalogue) -> JSONValue {
            let taken = positions.prefix(room)
            room -= taken.count
            return .array(taken.map { .string(catalogue.text(at: $0).id) })
        }
        var data: JSONObject = ["revision": .string(after.revision), "since": .string(before.revision)]
        data["removed"] = ids(difference.removed, of: before)
        data["changed"] = ids(difference.changed.map(\.after), of: after)
        data["added"] = ids(difference.added, of: after)
        let count = difference.removed.count + difference.changed.count + difference.added.count
        if count > Self.mostIDs { data["truncated"] = true }
        return RevisionEvent.body("revision", after.revision, data)
    }

    private static func append<Element>(
        _ elements: [Element], to bytes: inout [UInt8], write: (Element, inout [UInt8]) -> Void
    ) {
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(element, &bytes)
        }
    }
}

/// The events of a stream about revisions, as the HTML standard writes them.
enum RevisionEvent {
    /// A comment that keeps the connection open through proxies and detects lost clients.
    static let heartbeat = HTTPBody(text: ":\n\n")

    /// A comment for a client that waits for a catalogue. Browsers do not reconnect after a status other than 200.
    static let nothing = HTTPBody(text: ": no catalogue to serve\n\n")

    /// The revision in force, for a client that has none.
    static func present(_ revision: String) -> HTTPBody {
        body("revision", revision, ["revision": .string(revision), "since": .null])
    }

    /// The revision in force, for a client whose own revision is not kept.
    static func gap(_ revision: String) -> HTTPBody {
        body("gap", revision, ["revision": .string(revision), "whole": .string(ProductsRoute.path)])
    }

    /// JSON without white space has no line breaks.
    static func body(_ name: String, _ revision: String, _ data: JSONObject) -> HTTPBody {
        var bytes = Array("id: \(revision)\nevent: \(name)\ndata: ".utf8)
        JSONWriter.append(data, to: &bytes)
        bytes += "\n\n".utf8
        return HTTPBody(bytes: bytes)
    }
}
