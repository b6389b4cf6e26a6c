import Testing

@testable import LocalStorage

@Suite("Lists of entity tags")
struct EntityTagListTests {
    @Test(
        "A list matches the tag `e` by strong and by weak comparison",
        arguments: [
            (#""e""#, true, true), (#"e"#, true, true), ("*", true, true), (#"W/"e""#, false, true),
            (#""a", "e""#, true, true), (#""a","e","b""#, true, true), (#"a, e"#, true, true),
            (#", ,"e","#, true, true), (#"W/"a,b", W/"e""#, false, true), (#""a,b", "e""#, true, true),
            (#""a,e,b""#, false, false), (#"W/"a,e,b""#, false, false), (#""a, e", "b""#, false, false),
            (#""a,"e",b""#, false, false), (#""a,e"#, false, false), (#""a\", "e""#, true, true),
            (#""*""#, false, false), (#""e ""#, false, false), (#""E""#, false, false), ("", false, false),
            (",", false, false), (#""""#, false, false),
        ])
    func matches(list: String, strongly: Bool, weakly: Bool) {
        let tags = EntityTagList(Array(list.utf8))
        #expect(tags.matchesStrongly(Array("e".utf8)) == strongly)
        #expect(tags.matchesWeakly(Array("e".utf8)) == weakly)
    }
}
