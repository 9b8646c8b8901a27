internal import HTTPServer
internal import JSON
internal import Products

/// The difference of the catalogue in force from another revision, in the bytes that clients get.
struct CatalogueChanges {
    private let difference: RevisionDifference
    private let listing: EncodedListing

    /// The most ids of an event.
    private static let mostIDs = 10_000

    init(_ difference: RevisionDifference, to listing: EncodedListing) {
        (self.difference, self.listing) = (difference, listing)
    }

    /// Compares the catalogues; takes some milliseconds for each ten thousand products.
    init(from before: Catalogue, to listing: EncodedListing) {
        self.init(RevisionDifference(CatalogueDifference(from: before, to: listing.catalogue)), to: listing)
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
        let view = listing.plain
        var bytes = Array(#"{"revision":"\#(listing.catalogue.revision)","since":""#.utf8)
        bytes += "\(difference.since)\",\"added\":[".utf8
        Self.append(difference.added, to: &bytes) { view.append(productAt: $0, to: &$1) }
        bytes += #"],"changed":["#.utf8
        Self.append(difference.changed, to: &bytes) { view.append(productAt: $0, to: &$1) }
        bytes += #"],"removed":["#.utf8
        Self.append(difference.removed, to: &bytes) { JSONWriter.append($0, to: &$1) }
        bytes += "]}".utf8
        let tag = view.whole.representation.entityTag.dropFirst()
        return Representation(body: HTTPBody(bytes: bytes), entityTag: "\"\(difference.since)-\(tag)")
    }

    /// The event with the ids alone, up to the limit.
    private var event: HTTPBody {
        let catalogue = listing.catalogue
        var room = Self.mostIDs
        func list<Element>(_ elements: [Element], id: (Element) -> String) -> JSONValue {
            let taken = elements.prefix(room)
            room -= taken.count
            return .array(taken.map { .string(id($0)) })
        }
        var data: JSONObject = ["revision": .string(catalogue.revision), "since": .string(difference.since)]
        data["removed"] = list(difference.removed) { $0 }
        data["changed"] = list(difference.changed) { catalogue.text(at: $0).id }
        data["added"] = list(difference.added) { catalogue.text(at: $0).id }
        let count = difference.removed.count + difference.changed.count + difference.added.count
        if count > Self.mostIDs { data["truncated"] = true }
        return RevisionEvent.body("revision", catalogue.revision, data)
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
