extension ArraySlice<UInt8> {
    /// The slice without leading and trailing bytes of a class.
    ///
    /// - Parameter isTrimmed: the class, such as `ASCII.isBlank`
    package func trimming(_ isTrimmed: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        var rest = drop(while: isTrimmed)
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return rest
    }
}
