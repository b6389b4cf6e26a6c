"""Uploads a file to a plain link with Basic authentication, and downloads it from there.

    PRESIGN_KEY=psk_... link_clients.py CLIENT LINK FILE     CLIENT is requests, httpx or aiohttp

Prints the status of the upload and of the download; fails if the content differs.
"""
import asyncio
import os
import pathlib
import sys

CLIENT, LINK, FILE = sys.argv[1:4]
USER, KEY = "any user", os.environ["PRESIGN_KEY"]
CONTENT = pathlib.Path(FILE).read_bytes()
HEADERS = {"Content-Type": "application/x-sample"}


def with_requests():
    import requests
    put = requests.put(LINK, data=CONTENT, headers=HEADERS, auth=(USER, KEY), timeout=60)
    get = requests.get(LINK, auth=(USER, KEY), timeout=60)
    return (put.status_code, put.text), (get.status_code, get.content)


def with_httpx():
    import httpx
    with httpx.Client(auth=(USER, KEY), follow_redirects=True, timeout=60) as client:
        put, get = client.put(LINK, content=CONTENT, headers=HEADERS), client.get(LINK)
    return (put.status_code, put.text), (get.status_code, get.content)


async def with_aiohttp():
    import aiohttp
    # Of the request: aiohttp sends the credentials of a session to the storage too.
    login = {"Authorization": aiohttp.encode_basic_auth(USER, KEY)}
    async with aiohttp.ClientSession() as session:
        async with session.put(LINK, data=CONTENT, headers=HEADERS | login) as put:
            text = await put.text()
        async with session.get(LINK, headers=login) as get:
            return (put.status, text), (get.status, await get.read())


(put, text), (get, content) = {
    "requests": with_requests, "httpx": with_httpx, "aiohttp": lambda: asyncio.run(with_aiohttp()),
}[CLIENT]()
print(put, get)
if put != 200:
    sys.exit(text)
if content != CONTENT:
    sys.exit("the downloaded content differs")
