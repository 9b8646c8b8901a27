internal import JSON
internal import Logging
internal import Prometheus
internal import Text
internal import Tracing

/// The process that telemetry is about.
package struct OTLPResource: Sendable {
    private static let name = "larder"
    private let version: String
    /// Differs between the processes of a fleet.
    private let instance: String

    package init(version: String, instance: String) {
        (self.version, self.instance) = (version, instance)
    }

    /// The request with records.
    func request<Record: OTLPRecord>(_ records: some Sequence<Record>) -> [UInt8] {
        request(Record.signal, records.map { .object($0.json) })
    }

    /// The request with families of metrics. Their values are totals since the start.
    ///
    /// - Parameters:
    ///   - start: the start of the process, in nanoseconds since 1970.
    ///   - time: the time of the values, in nanoseconds since 1970.
    func request(_ families: some Sequence<MetricFamily>, since start: Int64, at time: Int64) -> [UInt8] {
        let times: JSONObject = ["startTimeUnixNano": .nanoseconds(start), "timeUnixNano": .nanoseconds(time)]
        return request(.metrics, families.filter { !$0.series.isEmpty }.map { .object($0.json(times)) })
    }

    private func request(_ signal: OTLPSignal, _ values: [JSONValue]) -> [UInt8] {
        let (name, items) =
            switch signal {
            case .traces: ("Spans", "spans")
            case .metrics: ("Metrics", "metrics")
            case .logs: ("Logs", "logRecords")
            }
        let attributes = [
            SpanAttribute("service.name", Self.name), SpanAttribute("service.version", version),
            SpanAttribute("service.instance.id", instance),
        ]
        let scope: JSONObject = [
            "scope": .object(["name": .string(Self.name), "version": .string(version)]), items: .array(values),
        ]
        let resource: JSONObject = [
            "resource": .object(["attributes": .attributes(attributes)]), "scope\(name)": .array([.object(scope)]),
        ]
        return JSONValue.object(["resource\(name)": .array([.object(resource)])]).encoded()
    }
}

/// The JSON form of the protocol: names in camel case, 64-bit integers as strings, identifiers in hexadecimal digits.
extension FinishedSpan: OTLPRecord {
    static var signal: OTLPSignal { .traces }

    var json: JSONObject {
        var all = attributes
        if let failure { all.append(SpanAttribute("error.type", failure.type)) }
        var json: JSONObject = [
            "traceId": .string(trace.traceID), "spanId": .string(id.hexDigits), "name": .string(name),
            "kind": .count(kind.rawValue), "startTimeUnixNano": .nanoseconds(start),
            "endTimeUnixNano": .nanoseconds(end), "attributes": .attributes(all),
        ]
        if parent != 0 { json["parentSpanId"] = .string(parent.hexDigits) }
        if let state = trace.state { json["traceState"] = .string(state) }
        if let failure { json["status"] = .object(["code": 2, "message": .string(failure.message)]) }
        return json
    }
}

extension MetricFamily {
    fileprivate func json(_ times: JSONObject) -> JSONObject {
        var json: JSONObject = ["name": .string(description.seriesName), "description": .string(description.help)]
        let points = series.map { JSONValue.object($0.json(times)) }
        // The value of AGGREGATION_TEMPORALITY_CUMULATIVE.
        var data: JSONObject = ["dataPoints": .array(points), "aggregationTemporality": 2]
        switch description.kind {
        case .counter:
            data["isMonotonic"] = true
            json["sum"] = .object(data)
        case .histogram: json["histogram"] = .object(data)
        case .gauge, .info: json["gauge"] = .object(["dataPoints": .array(points)])
        }
        return json
    }
}

extension MetricSeries {
    fileprivate func json(_ times: JSONObject) -> JSONObject {
        var json = times
        json["attributes"] = .attributes(labels.map { SpanAttribute($0.name, $0.value) })
        switch value {
        case .count(let count): json["asInt"] = .string("\(count)")
        case .number(let number): json["asDouble"] = .double(number)
        case .histogram(let reading):
            json["count"] = .string("\(reading.counts.reduce(0, +))")
            json["sum"] = .double(reading.sum)
            json["bucketCounts"] = .array(reading.counts.map { .string("\($0)") })
            json["explicitBounds"] = .array(reading.bounds.map(JSONValue.double))
        }
        return json
    }
}

extension JSONValue {
    static func nanoseconds(_ time: Int64) -> JSONValue { .string("\(time)") }

    /// A number, or the name of one that JSON lacks.
    fileprivate static func double(_ number: Double) -> JSONValue {
        JSONNumber(number).map(JSONValue.number)
            ?? .string(number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity")
    }

    fileprivate static func attributes(_ attributes: [SpanAttribute]) -> JSONValue {
        .array(
            attributes.map { attribute in
                let value: Logger.MetadataValue =
                    switch attribute.value {
                    case .text(let text): .string(text)
                    case .number(let number): .stringConvertible(number)
                    }
                return .object(["key": .string(attribute.name), "value": .attribute(value)])
            })
    }

    static func attributes(_ metadata: Logger.Metadata) -> JSONValue {
        .array(
            metadata.sorted { $0.key < $1.key }.map {
                .object(["key": .string($0.key), "value": .attribute($0.value)])
            })
    }

    /// A value of the protocol, which names its type.
    static func attribute(_ value: Logger.MetadataValue) -> JSONValue {
        switch value {
        case .string(let text): .object(["stringValue": .string(text)])
        case .stringConvertible(let number as Int): .object(["intValue": .string("\(number)")])
        case .stringConvertible(let number as Double): .object(["doubleValue": .double(number)])
        case .stringConvertible(let other): .object(["stringValue": .string(other.description)])
        case .array(let values): .object(["arrayValue": .object(["values": .array(values.map(attribute))])])
        case .dictionary(let members): .object(["kvlistValue": .object(["values": .attributes(members)])])
        }
    }
}
