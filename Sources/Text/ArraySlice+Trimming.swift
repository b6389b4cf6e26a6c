extension ArraySlice<UInt8> {
    /// Returns the slice without the leading and trailing bytes that satisfy a predicate.
    ///
    /// - Parameter isTrimmed: the predicate, such as `ASCII.isBlank`.
    package func trimming(_ isTrimmed: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        var rest = drop(while: isTrimmed)
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return rest
    }
}
