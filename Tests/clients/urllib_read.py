"""Reads addresses by urllib, as pandas does. usage: urllib_read.py URL KEY URL KEY ...

With a KEY that is not empty the request has it as Authorization. Prints the status and the content, of an XML error
the beginning of its message.
"""
import re
import sys
import urllib.error
import urllib.request

for url, key in zip(sys.argv[1::2], sys.argv[2::2]):
    request = urllib.request.Request(url, headers={"Authorization": "Bearer " + key} if key else {})
    try:
        with urllib.request.urlopen(request) as answer:
            print(answer.status, answer.read().decode())
    except urllib.error.HTTPError as error:
        print(error.code, re.search("<Message>([^;]*)", error.read().decode()).group(1))
