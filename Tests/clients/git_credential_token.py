"""A credential helper of git: prints an expired token at the first call, then valid ones.

    git_credential_token.py SECRET_FILE STATE_FILE get
"""
import base64
import hashlib
import hmac
import json
import pathlib
import sys
import time

secret = pathlib.Path(sys.argv[1]).read_bytes().strip()
state = pathlib.Path(sys.argv[2])
if sys.argv[3] == "get":
    life = 3600 if state.exists() else -3600
    state.touch()
    encode = lambda data: base64.urlsafe_b64encode(data).rstrip(b"=")
    claims = {"iss": "git-tests", "aud": "presign", "sub": "dev", "exp": int(time.time()) + life}
    token = encode(b'{"alg":"HS256"}') + b"." + encode(json.dumps(claims).encode())
    signature = encode(hmac.new(secret, token, hashlib.sha256).digest())
    print("username=dev", f"password={(token + b'.' + signature).decode()}", sep="\n")
