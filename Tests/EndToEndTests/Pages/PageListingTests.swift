import Testing

extension Pages {
    @Suite("Listings in a page")
    struct PageListingTests {
        private struct Outcome: Decodable {
            let objects: [String]
            let folders: [String]
        }

        @Test("A page of another origin lists a folder with the script of the guide")
        func crossOrigin() async throws {
            try await ScriptedServer.run { site in
                let page = "http://127.0.0.1:\(site.port)"
                try await LocalService.run(origins: [page]) { service in
                    try await Browser.open { browser in
                        try await browser.go(to: page)
                        try await browser.wait(until: "window.Presign")
                        let found: Outcome = try await browser.evaluate(
                            """
                            return (async () => {
                              const presign = new Presign({ endpoint: '\(service.origin)', apiKey: '\(service.key)' });
                              for (const path of ['f/ä b+c.txt', 'f/deep/er.txt'])
                                await presign.upload(new File(['x'], 'x'), { path });
                              const { url } = await (await fetch('\(service.origin)/presign', {
                                method: 'POST',
                                headers: { 'Content-Type': 'application/json', Authorization: 'Bearer \(service.key)' },
                                body: JSON.stringify({ prefix: 'f/', delimiter: '/' }),
                              })).json();
                              const xml = new DOMParser().parseFromString(await (await fetch(url)).text(), 'application/xml');
                              const decode = (element) => decodeURIComponent(element.textContent.replaceAll('+', ' '));
                              const objects = [...xml.querySelectorAll('Contents > Key')].map(decode);
                              const folders = [...xml.querySelectorAll('CommonPrefixes > Prefix')].map(decode);
                              return { objects, folders };
                            })()
                            """)
                        #expect(found.objects == ["f/ä b+c.txt"] && found.folders == ["f/deep/"])
                        #expect(try await browser.complaints() == [])
                    }
                }
            }
        }
    }
}
