internal import CLibXML2
internal import JSON
internal import Text

/// Reads the items of an XML document in one pass, so that its tree is never in memory.
///
/// libxml2 parses the document. It loads no other resource, and expands only the predefined entities. A document with a
/// `DOCTYPE` is refused.
@safe
final class XMLItems {
    /// The deepest nesting of elements.
    private static let depthLimit = 100
    private static let chunkSize = 1 << 14
    /// The most bytes that the parser holds back for the end of a tag: it compares each attribute with all others.
    private static let tagLimit = 1 << 16
    /// Prepares libxml2 for use on several threads, once.
    private static let preparation: Void = xmlInitParser()

    private let path: [String]
    private let lists: Set<[String]>
    private var items: DocumentItems
    private var parser: xmlParserCtxtPtr?
    private var fault: DocumentFault?

    /// The number of open elements.
    private var depth = 0
    /// The number of those that the path leads through.
    private var matched = 0
    /// The item and the elements within it that are open.
    private var open: [XMLElement] = []
    /// The furthest that the path has led, and the names of the elements found there.
    private var furthest: (depth: Int, names: [String]) = (0, [])

    /// - Parameters:
    ///   - path: the names from the root to the items.
    ///   - lists: the places within an item that are always lists.
    init(_ path: [String], lists: Set<[String]>, limit: Int) {
        (self.path, self.lists) = (path, lists)
        items = DocumentItems(limit: limit)
    }

    func read(_ document: [UInt8]) throws(DocumentFault) -> DocumentItems {
        try Self.checkStart(of: document)
        _ = Self.preparation
        var handler = unsafe Self.handler
        let user = unsafe Unmanaged.passUnretained(self).toOpaque()
        guard let parser = unsafe xmlCreatePushParserCtxt(&handler, user, nil, 0, nil) else {
            throw DocumentFault(line: 1, column: 1, reason: "no memory for the parser")
        }
        unsafe self.parser = parser
        defer {
            unsafe self.parser = nil
            unsafe xmlFreeParserCtxt(parser)
        }
        unsafe xmlCtxtUseOptions(parser, Int32(XML_PARSE_NONET.rawValue))
        unsafe document.withUnsafeBytes { unsafe feed($0, to: parser) }
        if fault == nil { unsafe xmlParseChunk(parser, nil, 0, 1) }
        if fault == nil, unsafe parser.pointee.wellFormed == 0 { stop("the document is not well-formed") }
        if let fault { throw fault }
        try checkFound()
        return items.closed()
    }

    private func feed(_ bytes: UnsafeRawBufferPointer, to parser: xmlParserCtxtPtr) {
        var offset = 0
        while offset < bytes.count, fault == nil {
            let chunk = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...].prefix(Self.chunkSize))
            unsafe xmlParseChunk(
                parser, chunk.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(chunk.count), 0)
            offset += chunk.count
            // The parser holds back a text in CDATA too, which costs nothing.
            guard let input = unsafe parser.pointee.input?.pointee, unsafe input.end - input.cur > Self.tagLimit,
                unsafe parser.pointee.instate != XML_PARSER_CDATA_SECTION
            else { continue }
            stop("a tag is longer than \(Self.tagLimit) bytes")
        }
    }

    /// Refuses what is no XML at all, which the parser would call an empty document or a bad tag.
    private static func checkStart(of document: [UInt8]) throws(DocumentFault) {
        // UTF-16 and UTF-32 begin with a byte order mark or a zero, if not with `<`.
        if let first = document.first, [0, 0xFE, 0xFF].contains(first) { return }
        let text = document[DocumentText.start(of: document)...].drop { " \t\r\n".utf8.contains($0) }
        let beginning = String(decoding: text.prefix(9), as: UTF8.self)
        if beginning.hasPrefix("<"), beginning == "<!DOCTYPE" || beginning.lowercased() != "<!doctype" { return }
        throw DocumentText.fault(expecting: "XML", atStartOf: document)
    }

    /// An empty list is good: the element around the items is there, and nothing is in it.
    private func checkFound() throws(DocumentFault) {
        guard items.lines.isEmpty, furthest.depth < path.count - 1 || !furthest.names.isEmpty else { return }
        let place = path.prefix(furthest.depth).joined(separator: ".")
        let names = WordList.enumeration(quoting: furthest.names.map { "\(TextExcerpt($0, limit: 40))" })
        let meant = ClosestName.to(path[furthest.depth], among: furthest.names).map { "; did you mean \"\($0)\"?" }
        let found = place.isEmpty ? "the document is \(names)" : "\(place) has \(names)"
        throw DocumentFault(
            line: 1, column: 1, reason: "no element \(path.joined(separator: ".")); \(found)\(meant ?? "")")
    }

    /// Stops with a fault at the current place, unless there is one.
    private func stop(_ reason: String) {
        let input = unsafe parser?.pointee.input
        let place = unsafe (line: Int(input?.pointee.line ?? 1), column: Int(input?.pointee.col ?? 1))
        stop(DocumentFault(line: max(1, place.line), column: max(1, place.column), reason: reason))
    }

    private func stop(_ fault: DocumentFault) {
        guard self.fault == nil else { return }
        self.fault = fault
        if let parser = unsafe parser { unsafe xmlStopParser(parser) }
    }

    private func begin(_ name: String, _ attributes: [(name: String, value: String)]) {
        depth += 1
        guard depth <= Self.depthLimit else { return stop("elements are nested deeper than \(Self.depthLimit)") }
        if open.isEmpty {
            guard matched == depth - 1 else { return }
            guard path[matched] == name else { return record(name) }
            matched += 1
            if matched > furthest.depth { furthest = (matched, []) }
            guard matched == path.count else { return }
            // The parser has one place alone, which is behind the tag.
            open.append(XMLElement(name, line: unsafe Int(parser?.pointee.input?.pointee.line ?? 1)))
        } else {
            open.append(XMLElement(name, line: 0))
        }
        for attribute in attributes { open[open.count - 1].append(.string(attribute.value), "@\(attribute.name)") }
    }

    /// Records an element beside the path.
    private func record(_ name: String) {
        guard matched == furthest.depth, furthest.names.count < 20, !furthest.names.contains(name) else { return }
        furthest.names.append(name)
    }

    private func append(text: UnsafeBufferPointer<UInt8>) {
        guard !open.isEmpty else { return }
        unsafe open[open.count - 1].text.append(contentsOf: text)
    }

    private func end() {
        guard fault == nil else { return }
        depth -= 1
        matched = min(matched, depth)
        guard let element = open.popLast() else { return }
        let place = lists.isEmpty ? [] : open.dropFirst().map(\.name) + (open.isEmpty ? [] : [element.name])
        let value = element.value { lists.contains(place + [$0]) }
        guard open.isEmpty else {
            if let value { open[open.count - 1].append(value, element.name) }
            return
        }
        do throws(DocumentFault) {
            try items.append(at: element.line) { JSONWriter.append(value ?? .object(JSONObject()), to: &$0) }
        } catch { stop(error) }
    }
}

extension XMLItems {
    private static func of(_ user: UnsafeMutableRawPointer?) -> XMLItems? {
        unsafe user.map { unsafe Unmanaged<XMLItems>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The events that libxml2 reports.
    private static var handler: xmlSAXHandler {
        var handler = unsafe xmlSAXHandler()
        unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
        unsafe handler.internalSubset = { user, name, _, _ in
            let isPage = unsafe qualified(name, nil).lowercased() == "html"
            unsafe XMLItems.of(user)?.stop(
                isPage ? "expected XML, found HTML" : "a DOCTYPE, which may define entities, is refused")
        }
        unsafe handler.startElementNs = { user, name, prefix, _, _, _, count, _, attributes in
            var found: [(name: String, value: String)] = []
            for index in 0..<Int(count) {
                // Name, prefix, namespace, and where the value begins and ends.
                guard let attribute = unsafe attributes?.advanced(by: index * 5), let begin = unsafe attribute[3],
                    let end = unsafe attribute[4]
                else { continue }
                let value = unsafe UnsafeBufferPointer(start: begin, count: end - begin)
                unsafe found.append(
                    (qualified(attribute[0], attribute[1]), String(decoding: value, as: UTF8.self)))
            }
            unsafe XMLItems.of(user)?.begin(qualified(name, prefix), found)
        }
        unsafe handler.endElementNs = { user, _, _, _ in unsafe XMLItems.of(user)?.end() }
        unsafe handler.characters = { user, text, count in
            unsafe XMLItems.of(user)?.append(text: UnsafeBufferPointer(start: text, count: Int(count)))
        }
        unsafe handler.ignorableWhitespace = handler.characters
        unsafe handler.cdataBlock = handler.characters
        unsafe handler.serror = { user, error in
            guard let error = unsafe error?.pointee, unsafe error.level == XML_ERR_FATAL else { return }
            let message = unsafe error.message.map { unsafe String(cString: $0) } ?? "not well-formed"
            let reason = TextExcerpt(message.split(separator: "\n").first.map(String.init) ?? message, limit: 200)
            let (line, column) = unsafe (max(1, Int(error.line)), max(1, Int(error.int2)))
            unsafe XMLItems.of(user)?.stop(DocumentFault(line: line, column: column, reason: "\(reason)"))
        }
        return unsafe handler
    }
}

/// Joins a name to the prefix of its namespace: `g:price`.
private func qualified(_ name: UnsafePointer<UInt8>?, _ prefix: UnsafePointer<UInt8>?) -> String {
    let name = unsafe name.map { unsafe String(cString: $0) } ?? ""
    return unsafe prefix.map { unsafe "\(String(cString: $0)):\(name)" } ?? name
}
