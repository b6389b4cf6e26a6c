import Testing

@testable import DataFormats
@testable import LocalStorage

@Suite("XML")
struct XMLTests {
    static let accepted: [(String, String)] = [
        ("<a>x</a>", "x"), ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a>x</a>\n", "x"), ("\u{FEFF}<a>x</a>", "x"),
        ("<a xmlns=\"http://s3\" b='\">'>x</a >", "x"), ("<a/>", ""), ("<a />", ""), ("<a></a>", ""),
        ("<a>&lt;&gt;&amp;&quot;&apos;</a>", "<>&\"'"), ("<a>&#34;&#x22;&#xe9;&#x10FFFF;</a>", "\"\"\u{e9}\u{10FFFF}"),
    ]

    @Test("Reads the text of an element", arguments: accepted)
    func text(_ document: String, _ text: String) throws {
        #expect(try XMLReader.root(of: Array(document.utf8)).text == Array(text.utf8))
    }

    static let refused = [
        "", "x", "<a>", "<a></b>", "<a></a>x", "<a></a><b></b>", "<a><b></a></b>", "<!DOCTYPE a><a/>", "<a>&x;</a>",
        "<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>", "<a><!-- c --></a>", "<a><![CDATA[x]]></a>", "<a><?p?></a>",
        "<a>&#0;</a>", "<a>&#x1;</a>", "<a>&#xD800;</a>", "<a>&#x110000;</a>", "<a>&#+65;</a>", "<a>&#;</a>",
        "<a>&#x+41;</a>", "<a>&#-0;</a>", "<a>&#x;</a>", "<a>&#X41;</a>",
        "<a>&amp</a>", "<a>x<b/></a>", "<x:a/>", "<a b></a>", "<a b=c></a>", "<a b=\"<\"></a>", "<1a/>", "<a\u{1}/>",
        "<a>\u{1}</a>", "<?xml ?", "<?xmlx?><a/>", "<a", "<a b=\"", "</a>", "<>", "<a>\u{0}</a>", "<a><b>",
        String(repeating: "<a>", count: 9) + String(repeating: "</a>", count: 9),
    ]

    @Test("Malformed documents and unsupported features are rejected", arguments: refused)
    func refusal(_ document: String) {
        #expect(throws: XMLReader.Failure.self) { try XMLReader.root(of: Array(document.utf8)) }
    }

    @Test("Invalid UTF-8 and truncated documents are rejected")
    func cuts() throws {
        #expect(throws: XMLReader.Failure.self) {
            try XMLReader.root(of: Array("<a>".utf8) + [0xFF] + Array("</a>".utf8))
        }
        let document = Array("<?xml version=\"1.0\"?><a b=\"c\"><d>&amp;</d><e/></a>".utf8)
        #expect(try XMLReader.root(of: document).children.count == 2)
        for count in document.indices {
            #expect(throws: XMLReader.Failure.self) { try XMLReader.root(of: Array(document.prefix(count))) }
        }
    }

    @Test("The number of elements is bounded while a document is read")
    func elements() throws {
        let maximum = XMLReader.maximumElements - 1
        let document = { (count: Int) in
            Array("<a>".utf8) + Array(String(repeating: "<b/>", count: count).utf8) + Array("</a>".utf8)
        }
        #expect(try XMLReader.root(of: document(maximum)).children.count == maximum)
        #expect(throws: XMLReader.Failure.self) { try XMLReader.root(of: document(maximum + 1)) }
    }

    /// Reads the children of the root, each as its name, text and number of children.
    private static func children(of document: String) -> [String]? {
        guard var reader = try? XMLReader(Array(document.utf8), root: "a") else { return nil }
        var found: [String] = []
        do {
            while let child = try reader.nextChild() {
                found.append(String(decoding: child.name + child.text, as: UTF8.self) + "\(child.children.count)")
            }
        } catch {
            return nil
        }
        return found
    }

    static let readByChild: [(String, [String]?)] = [
        ("<a/>", []), ("<a></a>", []), (" <?xml ?><a/>", nil),
        ("<?xml ?>\n<a b='c'>\n<b>x</b> <c><d/><e/></c></a >\n", ["bx0", "c2"]),
        ("<b/>", nil), ("<a>x</a>", nil), ("<a>x<b/></a>", nil), ("<a><b/>x</a>", nil), ("<a><b/></b>", nil),
        ("<a><b/>", nil), ("<a/>x", nil), ("<a></a>x", nil), ("<a><b/></a><a/>", nil), ("", nil), ("<a", nil),
        ("<a><b>\(String(repeating: "<c/>", count: XMLReader.maximumElementsInChild - 1))</b></a>", ["b31"]),
        ("<a><b>\(String(repeating: "<c/>", count: XMLReader.maximumElementsInChild))</b></a>", nil),
        ("<a>\(String(repeating: "<b/>", count: 3))</a>", ["b0", "b0", "b0"]),
    ]

    @Test("A document can be read child by child", arguments: readByChild)
    func byChild(_ document: String, _ children: [String]?) { #expect(Self.children(of: document) == children) }

    static let faultyLists = [
        ("CompleteMultipartUpload", "<a/>"), ("Delete", "<a/>"),
        ("CompleteMultipartUpload", "<Part><PartNumber>1</PartNumber><ETag>a</ETag></Part>"),
        ("Delete", "<Object><Key>a</Key></Object>"), ("Delete", "<Quiet>true</Quiet>"),
    ]

    @Test("A list is read no further than its first fault, and its length is bounded", arguments: faultyLists)
    func firstFault(_ root: String, _ child: String) throws {
        let document = Array("<\(root)>\(String(repeating: child, count: 20_000))</\(root)>".utf8)
        var read = 0
        #expect(throws: S3Error.self) {
            try document.forEachXMLChild(of: root) { _ throws(S3Error) in
                read += 1
                if read == 10 { throw .incompleteBody }
            }
        }
        #expect(read == 10)
        #expect(throws: S3Error.self) {
            if root == "Delete" { _ = try DeleteList(document) } else { _ = try PartList(document) }
        }
    }

    @Test("Lists of the maximum length are read")
    func longLists() throws {
        let keys = (0..<DeleteList.maximumCount).map { "<Object><Key>\($0)</Key></Object>" }.joined()
        let list = try DeleteList(Array("<Delete><Quiet>true</Quiet>\(keys)</Delete>".utf8))
        #expect(list.objects.count == DeleteList.maximumCount && list.isQuiet)
        let parts = (1...10_000).map { "<Part><PartNumber>\($0)</PartNumber><ETag>a</ETag></Part>" }.joined()
        #expect(try PartList(Array(Self.list(parts).utf8)).parts.count == 10_000)
    }

    @Test("Written text is escaped, and characters that XML cannot represent are replaced")
    func writing() throws {
        var xml = XMLWriter()
        xml.element("a", Array("<&\"'>\r\n\t".utf8) + [0, 0x1B, 0xFF] + Array("\u{FFFF}é".utf8))
        let text = String(decoding: xml.bytes, as: UTF8.self)
        #expect(text.hasSuffix("<a>&lt;&amp;&quot;&apos;&gt;&#13;&#10;&#9;\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}é</a>"))
        #expect(xml.bytes.allSatisfy { $0 >= 0x20 || $0 == 0x0A })
        #expect(try XMLReader.root(of: xml.bytes).text.starts(with: "<&\"'>\r\n\t".utf8))
    }

    private static func list(_ parts: String) -> String {
        "<CompleteMultipartUpload>\(parts)</CompleteMultipartUpload>"
    }
    private static let one = "<Part><PartNumber>1</PartNumber><ETag>\"a\"</ETag></Part>"
    static let lists: [(String, String?)] = [
        (list(one), nil), (list("<Part><ETag>a</ETag><PartNumber> 3 </PartNumber></Part>"), nil),
        (list("\n <Part>\r\n<ETag>\n  \"a\"\r\n</ETag><PartNumber>\n\t3\n</PartNumber>\n</Part>\n"), nil),
        (list("<Part><PartNumber>1</PartNumber><ETag>a</ETag><ChecksumCRC32>AAAAAA==</ChecksumCRC32></Part>"), nil),
        (list(""), "MalformedXML"), ("<CompleteMultipartUpload>", "MalformedXML"),
        ("<Other>\(one)</Other>", "MalformedXML"),
        (list("<Part><PartNumber>1</PartNumber></Part>"), "MalformedXML"),
        (list("<Part><ETag>a</ETag></Part>"), "MalformedXML"),
        (list("<Part><PartNumber>0</PartNumber><ETag>a</ETag></Part>"), "MalformedXML"),
        (list("<Part><PartNumber>10001</PartNumber><ETag>a</ETag></Part>"), "MalformedXML"),
        (list("<Part><PartNumber>-1</PartNumber><ETag>a</ETag></Part>"), "MalformedXML"),
        (list("<Part><PartNumber>1</PartNumber><PartNumber>2</PartNumber><ETag>a</ETag></Part>"), "MalformedXML"),
        (list("<Part><PartNumber>1</PartNumber><ETag>a</ETag><Size>1</Size></Part>"), "MalformedXML"),
        (
            list("<Part><PartNumber>1</PartNumber><ETag>a</ETag><ChecksumCRC32>AA==</ChecksumCRC32></Part>"),
            "MalformedXML"
        ),
        (list(one + one), "InvalidPartOrder"),
        (list("<Part><PartNumber>2</PartNumber><ETag>b</ETag></Part>" + one), "InvalidPartOrder"),
    ]

    @Test("Lists of parts are read, and invalid ones rejected", arguments: lists)
    func partList(_ document: String, _ code: String?) {
        do {
            let list = try PartList(Array(document.utf8))
            #expect(code == nil)
            #expect(list.parts.map(\.entityTag) == [[UInt8(ascii: "a")]])
        } catch {
            #expect(error.code == code)
        }
    }
}
