"""Canaille, an identity provider, with one user and one public client. All data is in memory.

    provider.py PORT CLIENT_URI LIFETIME     serves at http://127.0.0.1:PORT until it is stopped

CLIENT_URI is the page that users come from and return to, LIFETIME that of access tokens in seconds; they can be renewed
later too. The user is alice with the password "correct horse". Two requests are not Canaille's:

    POST /control/rotate    signs with a new key; the old one is not published any more
    POST /control/forget    does not renew any sign-in of before
"""
import sys

from canaille import create_app
from canaille.app import models
from canaille.backends import Backend
from joserfc.jwk import RSAKey
from werkzeug.serving import run_simple

PORT, CLIENT_URI, LIFETIME = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])


def new_key():
    return RSAKey.generate_key(2048, auto_kid=True).as_dict(private=True)


app = create_app({
    "SECRET_KEY": "test",
    "SERVER_NAME": f"127.0.0.1:{PORT}",
    "PREFERRED_URL_SCHEME": "http",
    "SESSION_COOKIE_SECURE": False,
    "OAUTH2_TOKEN_EXPIRES_IN": {"authorization_code": LIFETIME, "refresh_token": LIFETIME},
    "CANAILLE_DATABASE": "memory",
    "CANAILLE": {"NAME": "Acme", "JAVASCRIPT": False, "HTMX": False},
    "CANAILLE_OIDC": {"ACTIVE_JWKS": [new_key()], "TRUSTED_DOMAINS": []},
})

# Canaille's refresh tokens expire with their access tokens, so a slow test would lose its sign-in.
models.Token.is_refresh_token_active = lambda token: not token.revokation_date

with app.app_context():
    Backend.instance.save(models.User(
        user_name="alice", formatted_name="Alice Example", family_name="Example", emails=["alice@example.com"],
        password="correct horse"))
    client = models.Client(
        client_id="files", client_name="Files", client_uri=CLIENT_URI, redirect_uris=[CLIENT_URI],
        grant_types=["authorization_code", "refresh_token"], response_types=["code"],
        scope=["openid", "profile", "email"], token_endpoint_auth_method="none",
        id_token_signed_response_alg="RS256")
    Backend.instance.save(client)
    client.audience = [client]
    Backend.instance.save(client)


def rotate():
    app.config["CANAILLE_OIDC"]["ACTIVE_JWKS"] = [new_key()]


def forget():
    with app.app_context():
        for token in Backend.instance.query(models.Token):
            Backend.instance.delete(token)


COMMANDS = {"/control/rotate": rotate, "/control/forget": forget}


def application(environ, start_response):
    command = COMMANDS.get(environ["PATH_INFO"])
    if not command:
        return app(environ, start_response)
    command()
    start_response("204 No Content", [])
    return []


run_simple("127.0.0.1", PORT, application, threaded=True)
