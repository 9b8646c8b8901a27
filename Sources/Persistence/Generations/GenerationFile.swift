internal import Hashing
internal import JSON
package import Products

/// Encodes and decodes a generation: one line of JSON, the header's members first and the products last, exactly as the
/// catalogue encoded them.
///
/// The checksums detect damage, not forgery. If the header declares this version's canonical form, the products are
/// accepted as they are, and ``GenerationReader`` checks them after the first responses. Bytes from elsewhere need
/// ``decode(untrusted:known:)``.
package enum GenerationFile {
    private static let products = "products"
    /// The bytes between the header and the products, and after them.
    private static let separator = Array(",\"\(products)\":".utf8)
    private static let end = Array("}\n".utf8)

    /// The parts of the file: the products are the catalogue's own bytes.
    static func encode(_ snapshot: ProductsSnapshot, _ header: GenerationHeader) throws -> [[UInt8]] {
        [try encode(header).dropLast() + separator, snapshot.catalogue.encoded, end]
    }

    /// A confirmation: the header of a generation alone, with the times and the source of a later response.
    static func encode(_ header: GenerationHeader) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try JSONByteEncoder.append(header, to: &bytes)
        return bytes
    }

    /// Encodes a snapshot for other machines: always the same bytes for the same catalogue and time.
    package static func encode(portable snapshot: ProductsSnapshot) throws -> [UInt8] {
        let snapshot = reread(snapshot)
        return Array(try encode(snapshot, GenerationHeader(snapshot, generation: 0)).joined())
    }

    /// Decodes bytes of unknown origin: each product is checked, whatever the header declares.
    package static func decode(
        untrusted file: consuming [UInt8], known: Catalogue?
    ) throws(GenerationFault) -> ProductsSnapshot {
        try decode(file, known: known, isTrusted: false)
    }

    /// - Parameter known: returned in place of a new catalogue if the bytes are the same.
    static func decode(
        _ file: consuming [UInt8], known: Catalogue?, isTrusted: Bool = true
    ) throws(GenerationFault) -> ProductsSnapshot {
        var bytes = file
        if let snapshot = decodeAsWritten(&bytes, known: known, isTrusted) { return snapshot }
        let members = try memberRanges(bytes)
        switch try format(members, in: bytes) {
        case 1...GenerationHeader.currentFormat: return try decodeCurrent(&bytes, members, known: known, isTrusted)
        case let format where format > GenerationHeader.currentFormat: throw .newerFormat(format)
        case let format: throw .damaged("unknown format \(format)")
        }
    }

    /// The snapshot as decoded from its own encoding: of origin `store`, times in milliseconds.
    static func reread(_ snapshot: ProductsSnapshot) -> ProductsSnapshot {
        ProductsSnapshot(
            catalogue: snapshot.catalogue, fetchedAt: Timestamp(snapshot.fetchedAt).date,
            checkedAt: Timestamp(snapshot.checkedAt).date, origin: .store, source: snapshot.source)
    }

    private static func decodeCurrent(
        _ bytes: inout [UInt8], _ members: [JSONMemberRange], known: Catalogue?, _ isTrusted: Bool
    ) throws(GenerationFault) -> ProductsSnapshot {
        let header = try header(members, in: bytes)
        guard header.isSealed else { throw .damaged("the header is not the one that was written") }
        guard let range = members.first(where: { $0.key == products })?.range else {
            throw .damaged("\"\(products)\" is missing")
        }
        return try snapshot(&bytes, range, header, known: known, isTrusted)
    }

    /// Decodes a file of the current format exactly as written, without searching for its products; nil for any other
    /// file, and for a damaged one.
    private static func decodeAsWritten(
        _ bytes: inout [UInt8], known: Catalogue?, _ isTrusted: Bool
    ) -> ProductsSnapshot? {
        let start = Array(bytes.prefix(peekLength))
        guard let header = peekHeader(start), bytes.suffix(end.count).elementsEqual(end),
            let name = start.firstRange(of: separator)
        else { return nil }
        let range = name.upperBound..<bytes.count - end.count
        return try? snapshot(&bytes, range, header, known: known, isTrusted)
    }

    private static func snapshot(
        _ bytes: inout [UInt8], _ range: Range<Int>, _ header: GenerationHeader, known: Catalogue?, _ isTrusted: Bool
    ) throws(GenerationFault) -> ProductsSnapshot {
        let catalogue = try catalogue(&bytes, range, header, known: known, isTrusted)
        guard let snapshot = header.snapshot(of: catalogue) else {
            throw .damaged("the header is not the one that was written")
        }
        return snapshot
    }

    /// - Parameter bytes: emptied if a catalogue takes them over, otherwise unchanged.
    private static func catalogue(
        _ bytes: inout [UInt8], _ range: Range<Int>, _ header: GenerationHeader, known: Catalogue?, _ isTrusted: Bool
    ) throws(GenerationFault) -> Catalogue {
        if let known, known.digest == header.sha256, known.encoded[...] == bytes[range] { return known }
        if isTrusted, header.canonical == Catalogue.form,
            let catalogue = Catalogue(trusting: &bytes, in: range, count: header.count, digest: header.sha256)
        {
            return catalogue
        }
        do throws(ProductsFailure) {
            let catalogue = try Catalogue(encoded: bytes, in: range)
            // A version with another canonical form may have written the bytes: they are right if their own digest
            // matches.
            let isWhole = catalogue.digest == header.sha256 || SHA256Digest(of: bytes[range]).hexDigits == header.sha256
            if isWhole, catalogue.count == header.count { return catalogue }
        } catch {
            throw .damaged("\(error)")
        }
        throw .damaged("the products are not those that were written")
    }

    private static func header(
        _ members: [JSONMemberRange], in bytes: [UInt8]
    ) throws(GenerationFault) -> GenerationHeader {
        do {
            var object = JSONObject()
            for member in members where member.key != products {
                object[member.key] = try JSONParser().parse(Array(bytes[member.range]))
            }
            return try JSONValueDecoder.decode(GenerationHeader.self, from: .object(object))
        } catch let error as DecodingError {
            throw .damaged(error.jsonSummary)
        } catch {
            throw .damaged("\(error)")
        }
    }

    private static func memberRanges(_ bytes: [UInt8]) throws(GenerationFault) -> [JSONMemberRange] {
        do throws(JSONSyntaxError) {
            return try JSONParser().parseMemberRanges(bytes)
        } catch {
            throw .damaged("invalid JSON at \(error)")
        }
    }

    private static func format(_ members: [JSONMemberRange], in bytes: [UInt8]) throws(GenerationFault) -> Int {
        guard let range = members.first(where: { $0.key == "format" })?.range,
            let format = try? JSONParser().parse(Array(bytes[range])).number?.integer
        else { throw .damaged("the format is missing") }
        return format
    }

    /// Enough bytes for every header of the current format.
    static let peekLength = 512

    /// Reads the header in the first bytes of a file of the current format; nil if damaged.
    static func peekHeader(_ start: [UInt8]) -> GenerationHeader? {
        let text = String(decoding: start, as: UTF8.self)
        guard let separator = text.firstRange(of: ",\"\(products)\":") else { return nil }
        return header(Array((text[..<separator.lowerBound] + "}").utf8))
    }

    /// Decodes a header of the current format; nil if damaged.
    static func header(_ bytes: [UInt8]) -> GenerationHeader? {
        guard let object = try? JSONParser().parse(bytes),
            let header = try? JSONValueDecoder.decode(GenerationHeader.self, from: object),
            (1...GenerationHeader.currentFormat).contains(header.format), header.isSealed
        else { return nil }
        return header
    }

    /// Whether the first bytes of a file show that a newer version of the service wrote it.
    static func isNewer(_ start: [UInt8]) -> Bool {
        let text = String(decoding: start, as: UTF8.self)
        guard let key = text.firstRange(of: "\"format\"") else { return false }
        let value = text[key.upperBound...].drop { $0 == ":" || $0.isWhitespace }
        return Int(value.prefix { $0.isNumber }).map { $0 > GenerationHeader.currentFormat } ?? false
    }
}
