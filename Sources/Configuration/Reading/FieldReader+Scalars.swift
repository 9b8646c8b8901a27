/// The getters of texts, numbers and the like.
extension FieldReader {
    /// The text of a field that is required or has a default.
    public func string(_ field: String) -> String { required(field, .string) }

    /// The text of a field, or nil when it is absent.
    public func optionalString(_ field: String) -> String? { optional(field, .string) }

    /// The whole number of a field that is required or has a default.
    public func integer(_ field: String) -> Int { required(field, .integer) }

    /// The whole number of a field, or nil when it is absent.
    public func optionalInteger(_ field: String) -> Int? { optional(field, .integer) }

    /// The number of a field that is required or has a default.
    public func number(_ field: String) -> Double { required(field, .number) }

    /// The number of a field, or nil when it is absent.
    public func optionalNumber(_ field: String) -> Double? { optional(field, .number) }

    /// The truth value of a field that is required or has a default.
    public func boolean(_ field: String) -> Bool { required(field, .boolean) }

    /// The truth value of a field, or nil when it is absent.
    public func optionalBoolean(_ field: String) -> Bool? { optional(field, .boolean) }

    /// The duration of a field that is required or has a default.
    public func duration(_ field: String) -> Duration { required(field, .duration) }

    /// The duration of a field, or nil when it is absent.
    public func optionalDuration(_ field: String) -> Duration? { optional(field, .duration) }

    /// The number of bytes of a field that is required or has a default.
    public func size(_ field: String) -> Int { required(field, .size) }

    /// The number of bytes of a field, or nil when it is absent.
    public func optionalSize(_ field: String) -> Int? { optional(field, .size) }

    /// The number from 0 to 1 of a field that is required or has a default.
    public func ratio(_ field: String) -> Double { required(field, .ratio) }

    /// The number from 0 to 1 of a field, or nil when it is absent.
    public func optionalRatio(_ field: String) -> Double? { optional(field, .ratio) }

    /// The host and port of a field that is required or has a default.
    public func address(_ field: String) -> NetworkAddress { required(field, .address) }

    /// The host and port of a field, or nil when it is absent.
    public func optionalAddress(_ field: String) -> NetworkAddress? { optional(field, .address) }

    /// The absolute `http` or `https` URL, as written of a field that is required or has a default.
    public func url(_ field: String) -> String { required(field, .url) }

    /// The absolute `http` or `https` URL, as written of a field, or nil when it is absent.
    public func optionalURL(_ field: String) -> String? { optional(field, .url) }

    /// The path, as written of a field that is required or has a default.
    public func path(_ field: String) -> String { required(field, .path) }

    /// The path, as written of a field, or nil when it is absent.
    public func optionalPath(_ field: String) -> String? { optional(field, .path) }

    /// The secret of a field that is required or has a default.
    public func secret(_ field: String) -> Secret { required(field, .secret) }

    /// The secret of a field, or nil when it is absent.
    public func optionalSecret(_ field: String) -> Secret? { optional(field, .secret) }
}
