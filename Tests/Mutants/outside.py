"""The mutants of what decides between replicas and at the edge: fleet member, guard, preconditions, queries, signatures,
and the age of what an upstream sends."""

from schemata import Group, Mutant

FOLLOWING = "Fleet/Member/FleetMemberFollowing.swift"
BLOBS = "Fleet/Member/FleetMemberBlobs.swift"
ASKS = "Fleet/Member/FleetMemberAsks.swift"
TURNS = "Fleet/Member/FleetMemberTurns.swift"
COMMITS = "Fleet/Member/FleetMemberCommits.swift"
EVENTS = "Fleet/Member/FleetMemberEvents.swift"
HEAD = "CEventShim/guard/guard_head.c"
FIELD = "CEventShim/guard/guard_field.c"
TARGET = "CEventShim/guard/guard_target.c"
PRECONDITIONS = "HTTPServer/Semantics/Preconditions.swift"
DATE = "Text/HTTPDate.swift"
PAGE = "Querying/Query/PageCursor.swift"
INDEX = "Querying/Index/CatalogueIndex.swift"
PARTS = "Querying/Index/CatalogueIndexParts.swift"
COLUMN = "Querying/Index/AttributeColumn.swift"
KEYS = "Querying/Index/KeyIndex.swift"
PARSING = "Querying/Query/ProductsQueryParsing.swift"
RANKING = "Querying/Ranking/Ranking.swift"
AMOUNT = "Products/Kinds/Price.swift"
WORDS = "Querying/Index/WordIndex.swift"
CACHE = "Networking/HTTPClient/CacheFields.swift"
ANSWER = "Products/ProductsAnswer.swift"
SIGNATURE = "Webhooks/HookSignature.swift"

fleet = Group(
    "fleet", r"FleetTests\.FleetMember(Order|Refill|Rules)?Tests", r"FleetTests\.Fleet",
    [
        Mutant(FOLLOWING, "guard «sentAt >= follower.highWaterTime => true» else { return lookSoon() }"),
        Mutant(FOLLOWING, "guard «now - sentAt <= settings.commandLimit => true» || follower"),
        Mutant(FOLLOWING, "«(follower.highWater, follower.unusable) = (startedAt, [:]) => »"),
        Mutant(FOLLOWING, "(follower.isSynced, follower.hasRead) = («true => follower.isSynced», true)"),
        Mutant(FOLLOWING, "if (time(of: announced.startedAt), announced.generation) > «known => (pointerTime, 0)» {"),
        Mutant(FOLLOWING, "guard «announced.isPlausible => true» else { return }"),
        Mutant(FOLLOWING, "let isKnown = «served?.revision == pointer.revision => true»"),
        Mutant(BLOBS, "return «pointerTime == time ? pointer : nil => nil»"),
        Mutant(BLOBS, "if «pointerTime > time => true» { return pointer }"),
        Mutant(BLOBS, "var newest: PlacedCatalogue? { «servesPin ? whole : served => served» }"),
        Mutant(BLOBS, "«found.generation == pointer.generation => true» else"),
        Mutant(BLOBS, "} else if «!isPinned => true», time(of: blob"),
        Mutant(BLOBS, "guard let bytes, «bytes.count == blob.pointer.bytes => true» else"),
        Mutant(BLOBS, "catalogue.startedAt = «max(time(of: own.startedAt), catalogue.startedAt) => catalogue.startedAt»"),
        Mutant(BLOBS, "guard catalogue.startedAt > servedTime, «catalogue.revision != served.revision => true», !catalogue"),
        Mutant(ASKS, "!$0.isForced && «$0.position < position => $0.position <= position» &&"),
        Mutant(ASKS, "turns.abstainsUntil > now, «listeners != 1 => true» {"),
        Mutant(ASKS, "«known = max(known, time(of: pointer.startedAt)) => »"),
        Mutant(ASKS, "turns.alone = (lastNumber, «max(clock, servedTime + 1) => clock», now)"),
        Mutant(TURNS, "guard «now - sentAt < .milliseconds(milliseconds) => true» else"),
        Mutant(TURNS, "guard let newest, «newestTime == claim.startedAt => true», !newest"),
        Mutant(TURNS, "if !isRefill, !isPinned || served == nil, «pointer.startedAt > servedTime => true» {"),
        Mutant(TURNS, "if !isPinned || served == nil, «startedAt > servedTime => true» {"),
        Mutant(COMMITS, "case .missing where «!grant.isWrittenTwice => false»:"),
        Mutant(COMMITS, "guard «record.version > pin?.version ?? 0 => true» else { return }"),
        Mutant(COMMITS, "if let record, «record.version >= pin?.version ?? 0 => true» {"),
        Mutant(COMMITS, "return «newestTime > pointerTime => newestTime >= pointerTime» && !newest"),
        Mutant(EVENTS, "self.now = «max(now, self.now) => now»"),
        Mutant(EVENTS, "«follower.isSynced = false => »"),
    ])

guard = Group(
    "guard", r"HTTPServerTests\.(GuardTests/(behaves|counts|refuses)|LimitTests)",
    r"HTTPServerTests\.(Guard|Corpus|Refusal|RequestBody)",
    [
        Mutant(HEAD, "if («guard->fields == limits->fields => guard->fields > limits->fields») {"),
        Mutant(HEAD, "guard->is_http10 = «place == 7 && *at == '0' => false»;"),
        Mutant(HEAD, "if («guard->skips_empty_line => 0») {"),
        Mutant(HEAD, "place == 7 ? *at >= '0' && «*at <= '9' => *at <= ':'»"),
        Mutant(HEAD, "size_t room = «limits->head_bytes - guard->head_size => limits->head_bytes»;"),
        Mutant(FIELD, "!larder_guard_is_host_whole(guard) || «guard->hosts > 1 => 0» ?"),
        Mutant(FIELD, "guard->value_size == 0 || «guard->lengths > 1 => 0» ?"),
        Mutant(FIELD, "!guard->is_value_bad && «guard->value_size == 7 => 1»;"),
        Mutant(FIELD, "guard->is_value_bad || «guard->is_value_over => 0» ||"),
        Mutant(FIELD, "if («guard->lengths => 0») {\n        return LARDER_REFUSAL_LENGTH;"),
        Mutant(FIELD, "if («guard->hosts == 0 && !guard->is_http10 => guard->hosts == 0») {"),
        Mutant(FIELD, "if («guard->body_left > most => guard->body_left >= most» ||"),
        Mutant(TARGET, "case form_slash: return «byte == '/' => 0» ?"),
        Mutant(TARGET, "byte <= '9' && «guard->port <= 65535 => guard->port <= 65536» ?"),
        Mutant(TARGET, "return «guard->form != form_literal => 1»;"),
    ])

preconditions = Group(
    "preconditions", r"HTTPServerTests\.(Preconditions|EntityTag|HTTPDate)",
    r"HTTPServerTests|ServiceTests\.Caching|ServingTests\.(ConditionalResponding|ProductsResponder)",
    [
        Mutant(PRECONDITIONS, "EntityTag.matches(wanted, entityTag, by: «.strong => .weak»)"),
        Mutant(PRECONDITIONS, "let limit = date(\"If-Unmodified-Since\"), «lastModified.seconds > limit => "
               "lastModified.seconds >= limit» {"),
        Mutant(PRECONDITIONS, "return «lastModified.seconds <= known => lastModified.seconds < known» ?"),
        Mutant(PRECONDITIONS, "return «EntityTag.matches(known, entityTag) => false» ? .notModified"),
        Mutant(PRECONDITIONS, "«Double(seconds) > now.timeIntervalSince1970 => false» ? HTTPDate"),
        Mutant(PRECONDITIONS, "return «only.count == 1 => only.count >= 1» && header"),
        Mutant(PRECONDITIONS, "guard «element.upperBound - start == tag.count => "
               "element.upperBound - start >= tag.count» else"),
        Mutant(PRECONDITIONS, "guard «!isWeak || comparison == .weak => true» else"),
        Mutant(DATE, "let limit = year(of: now) + «50 => 49»"),
        Mutant(DATE, "let isLeapYear = year % 4 == 0 && «(year % 100 != 0 || year % 400 == 0) => true»"),
        Mutant(DATE, "minutes < 60, «seconds <= 60 => seconds < 60»"),
    ])

queries = Group(
    "queries", r"QueryingTests\.(CatalogueIndex|QueryParsing|QueryFields|PageCursor|ProductFields|Search)",
    r"QueryingTests\.(Random|Query|Quick|Adversarial)|ServiceTests\.Query",
    [
        Mutant(INDEX, "let next = «page.endIndex < found.endIndex => true» && query.limit != 0 ? page.endIndex : nil"),
        Mutant(PARTS, "return Ranking(sales, outOf: catalogue.count) { _, _, _ in «false => true» }"),
        Mutant(INDEX, "PositionSet(outOf: marks.isPopular.count) { «marks.isPopular[$0] == popular => "
               "marks.isPopular[$0]» }"),
        Mutant(PAGE, "guard «self.query == query.fingerprint => true» else"),
        Mutant(PAGE, "guard «self.revision == Self.hash(revision) => true» else"),
        Mutant(PAGE, "«bytes[Self.checked...].elementsEqual(Self.check(bytes[..<Self.checked])) => true»"),
        Mutant(PARSING, "let minPrice, let maxPrice, «minPrice > maxPrice => minPrice >= maxPrice» {"),
        Mutant(PARSING, "guard «words.count <= limit => words.count < limit» else"),
        Mutant(PARSING, 'where «isEscaped && other != UInt8(ascii: ",") && other != UInt8(ascii: "\\\\") '
                        '=> isEscaped && other != UInt8(ascii: ",")»:'),
        Mutant(PARSING, "guard «!keys.contains(where: { $0.name == key.name }) => true» else"),
        Mutant(RANKING, "return Int((«rank == missing ? missing : last - rank => missing - rank») >> shift)"),
        Mutant(RANKING, "if index == 0 || «isBefore(present[index - 1], entry) => true» {"),
        Mutant(COLUMN, "comparison == .isNone ? «found.inverted(outOf: starts.count - 1) => found» : found"),
        Mutant(COLUMN, "place < texts.count && «texts[place] == wanted => true» ? place : nil"),
        Mutant(KEYS, "guard «known.position == entry.position => true» else {"),
        Mutant(AMOUNT, "if isExact(leftKey) { return «false => true» }"),
        Mutant(AMOUNT, "return «leftWhole == rightWhole ? left.lexicographicallyPrecedes(right) : leftWhole < rightWhole => "
               "left.lexicographicallyPrecedes(right)»"),
        Mutant(WORDS, "while wordStarts[index + 1] <= hit { index += 1 }\n"
               "            for entry in positionStarts[index]..<positionStarts[index + «1 => 0»]"),
        Mutant(WORDS, "guard «lastSeen[Int(word)] != position => true» else"),
    ])

signatures = Group(
    "signatures", r"WebhooksTests|ServiceTests\.Hook", "",
    [
        Mutant(SIGNATURE, "let value = request.header(header), «value.hasPrefix(prefix) => true» else"),
        Mutant(SIGNATURE, "message = «Array(\"\\(text).\".utf8) + message => message»"),
        Mutant(SIGNATURE, "return «abs(now.timeIntervalSince1970 - Double(sentAt)) => "
               "now.timeIntervalSince1970 - Double(sentAt)» <="),
        Mutant(SIGNATURE, "«request.bodySize <= 40 => true» else { return false }"),
        Mutant(SIGNATURE, "guard «sender == .woocommerce => true», request.header(header) == nil"),
        Mutant(SIGNATURE, "guard sender == .woocommerce, «request.header(header) == nil => true»,"),
        Mutant(SIGNATURE, "guard «(1...12).contains(text.utf8.count) => true», text.utf8"),
        Mutant("Webhooks/HookSeries.swift", "memory.order.prefix { «now - $0.at >= window => now - $0.at > window» }"),
        Mutant("Webhooks/HookSeries.swift", "«memory.forget(max(0, memory.order.count - capacity)) => »"),
        Mutant("Webhooks/Hook.swift", "let window = claim.sentAt == nil ? rules.window : rules.window * «2 => 1»"),
        Mutant("Hashing/SHA256Digest.swift", "guard «one.count == other.count => "
               "one.count <= other.count» else"),
    ])

age = Group(
    "age", r"NetworkingTests\.CacheFields|ProductsTests\.(Freshness|ProductsAnswer)",
    r"NetworkingTests|ProvidersTests|UpstreamsTests|PersistenceTests\.Source",
    [
        Mutant(CACHE, "confirmedAt = «min(confirmedAt, made) => made»"),
        Mutant(CACHE, "let stated = «entries.last { $0.name == \"larder\" } => "
               "entries.first { $0.name == \"larder\" }»?.age"),
        Mutant(CACHE, "isOffline || «warnings.contains(\"110 \") => false» ||"),
        Mutant(CACHE, "control.lifetime.map { «age > $0 + control.leeway => age >= $0 + control.leeway» }"),
        Mutant(CACHE, "flatMap({ Int($0) }), «ttl < 0 => ttl <= 0» else"),
        Mutant(CACHE, "name == \"larder\" ? leeway == 0 : «ttl < -leeway => ttl < 0»"),
        Mutant(CACHE, "lifetime = («shared ?? own => own ?? shared»).flatMap"),
        Mutant(ANSWER, "self.checkedAt = «max(checkedAt ?? fetchedAt, fetchedAt) => checkedAt ?? fetchedAt»"),
        Mutant(ANSWER, "-> Date { «max(moment, checkedAt) => moment» }"),
        Mutant("Products/Freshness.swift", "return «other.rank > one.rank ? other : one => one»"),
        Mutant("Products/Freshness.swift", "let isFit = «length <= Self.longest => true» &&"),
    ])

GROUPS = [fleet, guard, preconditions, queries, signatures, age]
