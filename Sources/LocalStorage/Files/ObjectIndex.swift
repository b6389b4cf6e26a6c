import Presigning

/// The sorted names of the stored objects, so that a listing does not read every file.
///
/// It is built by the first listing and then kept up to date. The store's lock on the directory makes that sufficient.
struct ObjectIndex: Sendable {
    /// What a listing shows about an object.
    struct Entry: Sendable {
        let key: [UInt8]
        let contentLength: Int
        let entityTag: [UInt8]
        let lastModified: SigningTime
    }

    /// The objects by bucket, sorted by the bytes of the key, as S3 sorts them.
    private var buckets: [[UInt8]: [Entry]] = [:]

    /// Creates an index of objects in any order.
    init(_ footers: [ObjectFooter]) {
        for footer in footers { buckets[footer.bucket, default: []].append(Entry(footer)) }
        for bucket in buckets.keys {
            buckets[bucket]?.sort { $0.key.lexicographicallyPrecedes($1.key) }
        }
    }

    /// Adds an object, or replaces the one with the same key.
    mutating func insert(_ footer: ObjectFooter) {
        let index = position(of: footer.key, in: footer.bucket)
        let entry = Entry(footer)
        if buckets[footer.bucket]?.dropFirst(index).first?.key == entry.key {
            buckets[footer.bucket]?[index] = entry
        } else {
            buckets[footer.bucket, default: []].insert(entry, at: index)
        }
    }

    /// Removes an object if it exists.
    mutating func remove(bucket: [UInt8], key: [UInt8]) {
        let index = position(of: key, in: bucket)
        if buckets[bucket]?.dropFirst(index).first?.key == key { buckets[bucket]?.remove(at: index) }
    }

    /// Returns the position of the first object whose key is not less than `key`.
    private func position(of key: [UInt8], in bucket: [UInt8]) -> Int {
        let entries = buckets[bucket] ?? []
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key.lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns a page of the objects whose keys begin with the prefix of the query.
    func page(_ query: ListQuery, in bucket: [UInt8]) -> ListPage<Entry> {
        let entries = buckets[bucket] ?? []
        var page = ListPage<Entry>()
        var index = position(of: query.prefix, in: bucket)
        if let marker = query.marker, query.prefix.lexicographicallyPrecedes(marker) || query.prefix == marker {
            index = position(of: marker, in: bucket)
            if index < entries.count, entries[index].key == marker { index += 1 }
        }
        while index < entries.count, entries[index].key.starts(with: query.prefix) {
            let group = query.group(of: entries[index].key)
            // The page before ended with this group.
            let isShown = group != nil && group == query.marker
            if !isShown {
                guard page.count < query.maxKeys else {
                    page.isTruncated = query.maxKeys > 0
                    break
                }
                if let group { page.append(group) } else { page.append(entries[index], named: entries[index].key) }
            }
            index += 1
            if let group {
                while index < entries.count, entries[index].key.starts(with: group) { index += 1 }
            }
        }
        return page
    }
}

extension ObjectIndex.Entry {
    fileprivate init(_ footer: ObjectFooter) {
        self.init(
            key: footer.key, contentLength: footer.contentLength, entityTag: footer.entityTag,
            lastModified: footer.lastModified)
    }
}

/// What a listing asks for.
struct ListQuery: Sendable {
    var prefix: [UInt8] = []
    /// Keys with the delimiter after the prefix are grouped; nil or empty to list them.
    var delimiter: [UInt8]?
    /// The name after which the page starts: a key or a group.
    var marker: [UInt8]?
    var maxKeys = 1000

    /// Returns the beginning of a key up to and including the first delimiter after the prefix; nil without one.
    func group(of key: [UInt8]) -> [UInt8]? {
        guard let delimiter, !delimiter.isEmpty else { return nil }
        let rest = key[prefix.count...]
        let end = rest.indices.first { rest[$0...].starts(with: delimiter) }
        return end.map { Array(key[..<($0 + delimiter.count)]) }
    }
}

/// A page of a listing of objects or uploads.
struct ListPage<Item: Sendable>: Sendable {
    private(set) var items: [Item] = []
    private(set) var groups: [[UInt8]] = []
    /// The last name of the page, at which the next page starts.
    private(set) var last: [UInt8]?
    /// Whether there is another page.
    var isTruncated = false

    var count: Int { items.count + groups.count }

    mutating func append(_ item: Item, named key: [UInt8]) {
        items.append(item)
        last = key
    }

    mutating func append(_ group: [UInt8]) {
        groups.append(group)
        last = group
    }
}
