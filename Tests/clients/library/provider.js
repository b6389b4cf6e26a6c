/** The settings and tokens of an identity provider that exists only in the tests. */

export const settings = {
  issuer: "https://idp.test/acme", authorizationEndpoint: "https://idp.test/authorize?tenant=acme",
  tokenEndpoint: "https://idp.test/token", clientID: "files", scopes: ["openid", "profile"], token: "id",
  redirectURI: "https://files.test/",
};
export const NOW = 1_800_000_000_000;

const base64url = (value) => {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};

/** An ID token of a user, whose claims can be replaced. Its lifetime is an hour from `NOW`. */
export const idToken = (claims = {}) => ["e30", base64url({
  iss: settings.issuer, aud: "files", sub: "alice", name: "Zoë 🙂", iat: NOW / 1000, exp: NOW / 1000 + 3600, nonce: "n",
  ...claims,
}), "c2ln"].join(".");

/** A response of the token endpoint. */
export const tokens = (members = {}) => ({
  access_token: "opaque", token_type: "Bearer", expires_in: 600, refresh_token: "r1", id_token: idToken(), ...members,
});

/** Makes the token endpoint respond with these values, one after another: `{status, json}`, or an error. */
export function respond(...responses) {
  const requests = [];
  globalThis.fetch = async (url, { body, ...options }) => {
    const { status = 200, json } = responses[Math.min(requests.length, responses.length - 1)];
    requests.push({ url: String(url), fields: Object.fromEntries(body), options });
    if (status === 0) throw new TypeError("unreachable");
    return new Response(typeof json === "string" ? json : JSON.stringify(json), { status });
  };
  return requests;
}
