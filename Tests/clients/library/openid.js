/** What a public client of an identity provider sends and checks. */
import { authorizationURL, codeIn, random, requestTokens, sessionIn } from "../js/openid.js";
import { expect, failure } from "./expect.js";
import { NOW, idToken, respond, settings, tokens } from "./provider.js";

const session = (members, expected = { nonce: "n" }, others = {}, now = NOW) =>
  sessionIn(tokens(members), { ...settings, ...others }, expected, now);
const refused = async (...given) => {
  const { source, code } = await failure(() => session(...given));
  expect(source, "provider");
  return code;
};

export const tests = {
  async "the authorization request has PKCE (S256), state and nonce, and keeps the endpoint's query"() {
    // The verifier and challenge of RFC 7636, appendix B.
    const secrets = { state: "s", nonce: "n", verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" };
    const url = new URL(await authorizationURL(settings, secrets));
    expect(Object.fromEntries(url.searchParams), {
      tenant: "acme", response_type: "code", client_id: "files", redirect_uri: "https://files.test/",
      scope: "openid profile", state: "s", nonce: "n", code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    });
    expect(url.href.includes(secrets.verifier), false);
    const asking = new URL(await authorizationURL({ ...settings, audience: "https://api" }, secrets, "login"));
    expect([asking.searchParams.get("audience"), asking.searchParams.get("prompt")], ["https://api", "login"]);
  },

  async "secrets have 256 bits in base64url and differ"() {
    const values = Array.from({ length: 64 }, random);
    expect(values.every((value) => /^[\w-]{43}$/.test(value)), true);
    expect(new Set(values).size, 64);
  },

  async "a code is taken only from a sign-in that this tab has started, of the configured issuer"() {
    const code = (query, pending = { state: "s" }) => codeIn(new URLSearchParams(query), pending, settings);
    expect(code("code=c&state=s"), "c");
    expect(code(`code=c&state=s&iss=${encodeURIComponent(settings.issuer)}`), "c");
    expect((await failure(() => code("code=c&state=S"))).code, "SignInUnknown");
    const unknown = await failure(() => codeIn(new URLSearchParams("code=c&state=s"), undefined, settings));
    expect(unknown.code, "SignInUnknown");
    expect((await failure(() => code("code=c&state=s&iss=https://evil.test"))).code, "SignInInvalid");
    const denied = await failure(() => code("error=access_denied&error_description=no+entry&state=s"));
    expect([denied.source, denied.code, denied.message.includes("no entry")], ["provider", "access_denied", true]);
    // An error without the state may come from anywhere.
    expect((await failure(() => code("error=access_denied&state=x"))).code, "SignInUnknown");
  },

  async "the token request has no secret and needs no preflight"() {
    const [requests, fields] = [respond({ json: tokens() }), { grant_type: "refresh_token", refresh_token: "r1" }];
    expect((await requestTokens(settings, fields)).access_token, "opaque");
    const [{ url, fields: sent, options }] = requests;
    expect([url, sent, options.headers], ["https://idp.test/token", { ...fields, client_id: "files" }, undefined]);
    expect([options.credentials, options.redirect, options.referrerPolicy], ["omit", "error", "no-referrer"]);
  },

  async "failures of the token endpoint are errors of the provider or of the network"() {
    const failed = async (response) => {
      respond(response);
      const { source, code, retryable, status } = await failure(requestTokens(settings, {}));
      return [source, code, retryable, status];
    };
    expect(await failed({ status: 400, json: { error: "invalid_grant" } }), ["provider", "invalid_grant", false, 400]);
    expect(await failed({ status: 503, json: "busy" }), ["provider", "UnexpectedResponse", true, 503]);
    expect(await failed({ status: 404, json: "<html>" }), ["provider", "UnexpectedResponse", false, 404]);
    expect(await failed({ json: { access_token: 1 } }), ["provider", "UnexpectedResponse", false, 200]);
    expect(await failed({ status: 0 }), ["network", "NetworkError", true, 0]);
    // These do not refuse the grant: a page of a network's sign-in, a limit of requests, and a busy provider.
    expect(await failed({ json: "<html>" }), ["provider", "UnexpectedResponse", true, 200]);
    const limited = { status: 429, json: { error: "too_many_requests" } };
    expect(await failed(limited), ["provider", "UnexpectedResponse", true, 429]);
    const busy = { status: 400, json: { error: "temporarily_unavailable" } };
    expect(await failed(busy), ["provider", "UnexpectedResponse", true, 400]);
  },

  async "a response that is cut, or ends too late, is a failure of the network"(world) {
    const failed = async () => (await failure(requestTokens(settings, {}))).code;
    globalThis.fetch = async () => new Response(new ReadableStream({
      start(body) {
        body.enqueue(new TextEncoder().encode('{"access_token":'));
        body.error(new TypeError("cut"));
      },
    }));
    expect(await failed(), "NetworkError");
    world.hurry(1000);
    globalThis.fetch = async (url, { signal }) => new Response(new ReadableStream({
      start(body) { signal.addEventListener("abort", () => body.error(signal.reason)); },
    }));
    expect(await failed(), "Timeout");
  },

  async "a session has the token that the operator chose, and its lifetime"() {
    const ofID = session();
    expect([ofID.token, ofID.lifetime, ofID.user.name, ofID.refreshToken], [idToken(), 3_600_000, "Zoë 🙂", "r1"]);
    const ofAccess = session({}, undefined, { token: "access" });
    expect([ofAccess.token, ofAccess.lifetime, ofAccess.user.sub], ["opaque", 600_000, "alice"]);
    const unlimited = session({ expires_in: undefined }, undefined, { token: "access" });
    expect(unlimited.lifetime, Number.MAX_SAFE_INTEGER);
    const dated = session({ expires_in: undefined, access_token: idToken({ exp: NOW / 1000 + 60 }) }, undefined, {
      token: "access",
    });
    expect(dated.lifetime, 60_000);
  },

  async "an ID token of another issuer, client, sign-in or time is refused"() {
    const claims = [
      [{ iss: "https://idp.test/acme/" }, "SignInInvalid"], [{ iss: undefined }, "SignInInvalid"],
      [{ aud: "other" }, "SignInInvalid"], [{ aud: ["files", "other"], azp: "other" }, "SignInInvalid"],
      [{ nonce: "N" }, "SignInInvalid"], [{ nonce: undefined }, "SignInInvalid"],
      [{ sub: 1 }, "SignInInvalid"], [{ exp: undefined }, "SignInInvalid"], [{ iat: "x" }, "SignInInvalid"],
      [{ iat: NOW / 1000 + 301 }, "ClockSkew"], [{ exp: NOW / 1000 - 301 }, "ClockSkew"],
    ];
    for (const [replaced, code] of claims) {
      expect(await refused({ id_token: idToken(replaced) }), code, JSON.stringify(replaced));
    }
    for (const token of ["", "a.b", "a.e30.c.d", "a.bnVsbA.c", undefined]) {
      expect(await refused({ id_token: token }), "SignInInvalid", token);
    }
    expect(session({ id_token: idToken({ aud: ["files", "other"], azp: "files" }) }).user.sub, "alice");
    expect(session({ id_token: idToken({ iat: NOW / 1000 + 299 }) }).user.sub, "alice");
  },

  async "a renewal keeps the user, and the refresh token if there is no new one"() {
    const old = session();
    const renewed = session({ refresh_token: undefined, id_token: idToken({ nonce: undefined }) }, { old });
    expect([renewed.refreshToken, renewed.user.sub], ["r1", "alice"]);
    expect(session({ refresh_token: "r2" }, { old }).refreshToken, "r2");
    expect(await refused({ id_token: idToken({ sub: "mallory" }) }, { old }), "SignInInvalid");
    expect(await refused({ id_token: undefined }, { old }), "SignInInvalid");
    expect(session({ id_token: undefined }, { old }, { token: "access" }).user.sub, "alice");
  },
};
