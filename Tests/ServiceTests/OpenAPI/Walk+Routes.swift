import JSON
import TestSupport
import Testing

/// What routes answer themselves.
extension Walk {
    /// Every operation, as simply as it can be asked for.
    func usual(unavailable: Set<String> = []) async throws {
        for operation in document.operations {
            let isAvailable = operation.method == "OPTIONS" || !unavailable.contains(operation.path)
            let good = operation.method == "OPTIONS" ? 204 : 200
            try await ask(operation, expecting: isAvailable ? good : 503)
        }
    }

    /// Methods that are not described are not there.
    func otherMethods() async throws {
        for path in document.paths {
            let documented = document.operations.filter { $0.path == path }.map(\.method)
            for method in ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE"]
            where !documented.contains(method) {
                let answer = try await Self.exchange("\(method) \(path)", port: port)
                #expect(answer?.status == 405)
                let allowed = answer?.headers["allow"]?.split(separator: ", ").map(String.init) ?? []
                #expect(Set(allowed) == Set(documented), "\(method) \(path)")
            }
        }
    }

    /// Every condition and every coding that there is a word for.
    func conditions() async throws {
        for operation in operations(with: 304) {
            let answer = try #require(try await ask(operation, expecting: 200))
            let tag = try #require(answer.headers["etag"])
            let date = try #require(answer.headers["last-modified"])
            try await ask(operation, fields: "If-None-Match: \(tag)\r\n", expecting: 304)
            try await ask(operation, fields: "If-Modified-Since: \(date)\r\n", expecting: 304)
            try await ask(operation, fields: "If-Match: \"none\"\r\n", expecting: 412)
            let old = "Sun, 06 Nov 1994 08:49:37 GMT"
            try await ask(operation, fields: "If-Unmodified-Since: \(old)\r\n", expecting: 412)
            try await ask(operation, fields: "Accept-Encoding: gzip, identity;q=0\r\n", expecting: 200)
            try await ask(operation, fields: "Accept-Encoding: identity;q=0\r\n", expecting: 406)
        }
    }

    /// Every parameter, with the value that is described as an example and with others that its schema does not allow.
    func parameters() async throws {
        for operation in document.operations where operation.method != "OPTIONS" {
            for parameter in operation.parameters where parameter.place == "query" {
                try await ask(parameter, of: operation)
            }
            for parameter in operation.parameters where parameter.place == "header" {
                try await ask(operation, fields: "\(parameter.name): \(parameter.written ?? "x")\r\n", expecting: 200)
            }
            guard operation.answers[400] != nil, !["/livez", "/readyz", "/healthz"].contains(operation.path) else {
                continue
            }
            try await ask(operation, "\(operation.path)?nonsense=1", expecting: 400)
        }
    }

    private func ask(_ parameter: DocumentedParameter, of operation: DocumentedOperation) async throws {
        let target = Self.target(of: operation).prefix { $0 != "?" }
        if let example = parameter.written {
            let query = example.isEmpty ? parameter.name : "\(parameter.name)=\(Self.escaped(example))"
            try await ask(operation, "\(target)?\(query)", expecting: 200)
            #expect(document.checker.faults(try #require(parameter.example), .object(parameter.schema)) == [])
        }
        // Of a flag, whose value does not matter, and of names that may be anything only the spelling can be wrong.
        let isFree = ["verbose", "exclude"].contains(parameter.name)
        for value in (isFree ? [] : parameter.malformed.map(Self.escaped)) + ["%zz"] {
            try await ask(operation, "\(target)?\(parameter.name)=\(value)", expecting: 400)
        }
    }

    private static func escaped(_ text: String) -> String {
        text.map { [" ": "%20", "\\": "%5C"][$0] ?? "\($0)" }.joined()
    }
}
