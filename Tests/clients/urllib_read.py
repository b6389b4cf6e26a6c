"""Reads URLs with urllib, as pandas does. usage: urllib_read.py URL KEY URL KEY ...

A KEY that is not empty is sent as Authorization. Prints the status and the content, or the beginning of the message of
an XML error.
"""
import re
import sys
import urllib.error
import urllib.request

for url, key in zip(sys.argv[1::2], sys.argv[2::2]):
    request = urllib.request.Request(url, headers={"Authorization": "Bearer " + key} if key else {})
    try:
        with urllib.request.urlopen(request) as response:
            print(response.status, response.read().decode())
    except urllib.error.HTTPError as error:
        print(error.code, re.search("<Message>([^;]*)", error.read().decode()).group(1))
