extension HTTPRequest {
    /// The value of a field, whatever the case of its name; `nil` when there is none.
    ///
    /// Several fields of the name are one list, joined by a comma and a space, as RFC 9110 reads them.
    public func header(_ name: String) -> String? {
        var found: String?
        unsafe storage.forEachField { fieldName, value in
            guard unsafe HTTPRequest.isName(fieldName, name.utf8) else { return }
            let text = unsafe String(decoding: value, as: UTF8.self)
            found = found.map { $0 + ", " + text } ?? text
        }
        return found
    }

    /// Whether the request sets a condition: there is a field `If-…`. One look for all of them, since most have none.
    public var isConditional: Bool {
        var isConditional = false
        unsafe storage.forEachField { name, _ in
            guard name.count > 3, unsafe name[2] == UInt8(ascii: "-") else { return }
            if unsafe name[0] | 0x20 == UInt8(ascii: "i") && name[1] | 0x20 == UInt8(ascii: "f") {
                isConditional = true
            }
        }
        return isConditional
    }

    /// Whether the client told what the request is called, or what it is part of: there is a field `X-Request-Id` or
    /// `traceparent`. One look for both, since most have neither.
    public var isCorrelated: Bool {
        var isCorrelated = false
        unsafe storage.forEachField { name, _ in
            guard unsafe name.count == 12 && name[0] | 0x20 == UInt8(ascii: "x") || name.count == 11 else { return }
            if unsafe HTTPRequest.isName(name, "x-request-id".utf8) || HTTPRequest.isName(name, "traceparent".utf8) {
                isCorrelated = true
            }
        }
        return isCorrelated
    }

    /// Every field in the order in which it came, for logs and tests.
    public var headers: [(name: String, value: String)] {
        var all: [(name: String, value: String)] = []
        unsafe storage.forEachField { name, value in
            unsafe all.append((String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
        }
        return all
    }

    private static func isName(_ field: UnsafeRawBufferPointer, _ name: String.UTF8View) -> Bool {
        guard field.count == name.count else { return false }
        var index = 0
        for byte in name {
            guard unsafe HTTPSyntax.isSameLetter(field[index], byte) else { return false }
            index += 1
        }
        return true
    }
}
