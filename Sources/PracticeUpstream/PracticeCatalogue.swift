internal import FileSystem
internal import JSON

/// The products of the practice upstream: the items of a JSON array.
package struct PracticeCatalogue: Sendable {
    /// In the order of serving.
    let items: [JSONValue]

    /// The catalogue in a file (an array, or an object with `products`), or a generated one.
    ///
    /// - Throws: `PracticeCatalogueError` if the file cannot be read or contains no catalogue.
    package static func load(_ path: String?) throws -> PracticeCatalogue {
        guard let path else { return madeUp() }
        let document: JSONValue
        do {
            document = try JSONParser().parse(Files.read(path))
        } catch let error as FileSystemError {
            throw PracticeCatalogueError(description: "\(error)")
        } catch {
            throw PracticeCatalogueError(description: "\(path): \(error)")
        }
        guard let items = document.array ?? document.object?["products"]?.array else {
            throw PracticeCatalogueError(description: "\(path): neither an array nor an object with \"products\"")
        }
        return PracticeCatalogue(items: items)
    }

    /// A hundred generated products, the same on every machine: 14.6 KB as served by Larder.
    package static func madeUp(count: Int = 100) -> PracticeCatalogue {
        PracticeCatalogue(items: (1...count).map(item))
    }

    private static let goods = ["Quince jam", "Rye flour", "Olive oil", "Dried figs", "Smoked salt", "Green tea"]
    private static let sheets = ["Bread book", "Jam labels", "Menu fonts"]

    private static func item(_ number: Int) -> JSONValue {
        let isDigital = number.isMultiple(of: 5)
        let names = isDigital ? sheets : goods
        var item: JSONObject = [
            "type": .string(isDigital ? "digital" : "physical"),
            "id": .string("p-\(number)"),
            "name": .string("\(names[number % names.count]) (lot \(number))"),
        ]
        item["price"] = .object(["amount": decimal(number * 37 % 9000 + 99), "currency": .string("EUR")])
        item["sales"] = .number(JSONNumber(number * 7919 % 251))
        if isDigital {
            item["size"] = .number(JSONNumber(number * 4096))
        } else {
            item["weight"] = decimal(number * 13 % 500 + 10)
        }
        return .object(item)
    }

    /// Hundredths as a decimal number.
    private static func decimal(_ hundredths: Int) -> JSONValue {
        let cents = hundredths % 100
        let literal = "\(hundredths / 100).\(cents < 10 ? "0" : "")\(cents)"
        return JSONNumber(literal: literal).map(JSONValue.number) ?? .null
    }
}

/// A file that cannot be used as a catalogue.
package struct PracticeCatalogueError: Error, CustomStringConvertible {
    /// The path and the cause, on one line.
    package let description: String
}
