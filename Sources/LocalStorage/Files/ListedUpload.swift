/// An upload as a listing shows it.
struct ListedUpload: Sendable {
    let id: [UInt8]
    /// The bucket, key, headers and checksum algorithm of the object to be created.
    let footer: ObjectFooter
}

extension ListPage<ListedUpload> {
    /// Creates a page of the uploads whose keys begin with the prefix of the query, by key and id.
    ///
    /// - Parameters:
    ///   - uploads: those of one bucket, in any order.
    ///   - marker: the id after which the uploads to the key `query.marker` are listed; nil to omit them.
    init(of uploads: [ListedUpload], _ query: ListQuery, after marker: [UInt8]?) {
        let sorted = uploads.filter { $0.footer.key.starts(with: query.prefix) }.sorted { first, second in
            first.footer.key == second.footer.key
                ? first.id.lexicographicallyPrecedes(second.id)
                : first.footer.key.lexicographicallyPrecedes(second.footer.key)
        }
        for upload in sorted {
            let key = upload.footer.key
            let group = query.group(of: key)
            if let start = query.marker {
                let follows = marker?.lexicographicallyPrecedes(upload.id) ?? false
                guard start.lexicographicallyPrecedes(key) || (start == key && follows) else { continue }
            }
            // The group is on this page, or the page before ended with it.
            if let group, group == groups.last || group == query.marker { continue }
            guard count < query.maxKeys else {
                isTruncated = query.maxKeys > 0
                break
            }
            if let group { append(group) } else { append(upload, named: key) }
        }
    }
}
