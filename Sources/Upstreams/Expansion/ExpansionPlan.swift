internal import Hashing
internal import JSON
internal import Networking
internal import Products

/// The requests that the items of a list need, each once, and the members that get their values.
struct ExpansionPlan: Sendable {
    /// Identifies a value from one refresh to the next.
    struct Key: Sendable, Hashable {
        /// The index of the member.
        let member: Int
        let target: String
    }

    /// A request whose answer is for one item, or for several with the same URL.
    struct Request: Sendable {
        let key: Key
        /// The id of the first of the items.
        let itemID: JSONValue?
        /// The values that change with the member, of all its items; nil unless all have them.
        fileprivate(set) var stamp: [JSONValue]?
    }

    let items: [JSONValue]
    private(set) var requests: [Request] = []
    /// The failures of members whose URL lacks a value of the item.
    private(set) var faults: [ProductsFailure] = []
    private let members: [ExpandedMember]
    /// The index of the request for each member of each item; nil where there is none.
    private var slots: [Int?] = []

    init(_ items: [JSONValue], _ expansion: ItemExpansion, idPaths: [JSONPath]) {
        (self.items, members) = (items, expansion.members)
        slots.reserveCapacity(items.count * members.count)
        var indexes: [Key: Int] = [:]
        for item in items {
            let (id, stamp) = (idPaths.lazy.compactMap { item[$0] }.first, expansion.stamp(of: item))
            for (member, expanded) in members.enumerated() {
                // The decoder reports an item that is no object.
                guard item.object != nil else {
                    slots.append(nil)
                    continue
                }
                do throws(ProductsFailure) {
                    let key = Key(member: member, target: try expanded.url.target(for: item))
                    let index = indexes[key] ?? requests.count
                    slots.append(index)
                    if index < requests.count {
                        requests[index].stamp = requests[index].stamp.flatMap { earlier in stamp.map { earlier + $0 } }
                    } else {
                        indexes[key] = index
                        requests.append(Request(key: key, itemID: id, stamp: stamp))
                    }
                } catch {
                    slots.append(nil)
                    faults.append(error.from(FailureSource(itemID: id, member: expanded.name)))
                }
            }
        }
    }

    /// Whether every item has a stamp, by which unchanged members are recognised.
    var isStamped: Bool { faults.isEmpty && requests.allSatisfy { $0.stamp != nil } }

    /// Returns the items with the values of the requests, and a digest of all of these; nil stands for no value.
    func expanded(with values: [ExpandedValue?]) -> (items: [JSONValue], digest: [UInt8]) {
        var (expanded, digest) = (items, [UInt8]())
        for position in items.indices {
            guard var item = items[position].object else { continue }
            for (index, member) in members.enumerated() {
                let value = slots[position * members.count + index].flatMap { values[$0] }
                if let value { member.add(value.value, to: &item) }
                digest += value?.digest.bytes ?? [0]
            }
            expanded[position] = .object(item)
        }
        return (expanded, digest)
    }
}

/// A member's value, with the validators that confirm it.
struct ExpandedValue: Sendable {
    let value: JSONValue
    /// The size of the value as JSON, in bytes.
    let size: Int
    let digest: ContentDigest
    private let validators: [HTTPHeader]
    /// The stamp of the items when it was last confirmed; nil without one.
    var stamp: [JSONValue]?

    init(_ value: JSONValue, of response: HTTPClientResponse, stamp: [JSONValue]?) {
        let bytes = value.encoded()
        (self.value, size, digest, self.stamp) = (value, bytes.count, ContentDigest(of: bytes), stamp)
        validators = [("If-None-Match", "ETag"), ("If-Modified-Since", "Last-Modified")].compactMap { request, name in
            response.headers[name].flatMap { HTTPHeader.isSendable(value: $0) ? HTTPHeader(request, $0) : nil }
        }
    }

    /// The headers of a request that asks whether it is still the same.
    var conditions: [HTTPHeader] { validators }

    /// Whether it needs no request, since all that changes with it is unchanged.
    func isCurrent(by stamp: [JSONValue]?) -> Bool { stamp != nil && stamp == self.stamp }
}
