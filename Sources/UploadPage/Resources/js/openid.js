/**
 * What a public client of an identity provider sends and checks: OpenID Connect Core 1.0, authorization code with PKCE
 * (RFC 7636). Nothing here reads the page's address or keeps anything.
 *
 * @module openid
 */
import { PresignError, isText, networkError, timeoutError } from "./errors.js";

/** Seconds for a response of the token endpoint. */
const TIMEOUT = 30;
/** The maximum difference, in seconds, between the clocks of this device and of the provider. */
const LEEWAY = 300;
/** The statuses and error codes of a provider that may grant the same request later. */
const TEMPORARY = [408, 429, 500, 502, 503, 504], TEMPORARY_CODES = ["temporarily_unavailable", "server_error"];

/** Creates an error of a sign-in. */
export const signInError = (code, detail, members) =>
  new PresignError(detail, { source: "provider", code, ...members });

const invalid = (detail) => signInError("SignInInvalid", `the identity provider's response: ${detail}`);

/** Returns 256 random bits in base64url. */
export const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/**
 * Returns the URL at which the user signs in.
 *
 * @param {object} settings those of `SignIn`.
 * @param {{state: string, nonce: string, verifier: string}} secrets
 * @param {string} [prompt] `"login"` asks for the user's password even if the provider knows the user.
 */
export async function authorizationURL(settings, { state, nonce, verifier }, prompt) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const url = new URL(settings.authorizationEndpoint);
  const parameters = {
    response_type: "code", client_id: settings.clientID, redirect_uri: settings.redirectURI,
    scope: settings.scopes.join(" "), audience: settings.audience, state, nonce, prompt,
    code_challenge: base64url(new Uint8Array(digest)), code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Returns the authorization code in the parameters with which the provider leads back.
 *
 * @param {URLSearchParams} parameters
 * @param {{state: string}} [pending] the sign-in that this tab has started.
 * @throws {PresignError} if the provider reports an error, or this tab has not started the sign-in.
 */
export function codeIn(parameters, pending, { issuer }) {
  // Without this check, a link could sign the user in as its sender, who then reads the user's uploads.
  if (!pending || parameters.get("state") !== pending.state) {
    throw signInError("SignInUnknown", "this tab has not started this sign-in, or has completed it");
  }
  // RFC 9207; a provider that does not support it omits the parameter.
  if ((parameters.get("iss") ?? issuer) !== issuer) throw invalid("`iss` is not the configured issuer");
  if (parameters.has("error")) throw providerError(Object.fromEntries(parameters), 0);
  return parameters.get("code");
}

/** Converts an error of the provider (RFC 6749 sections 4.1.2.1 and 5.2). */
function providerError({ error, error_description: description }, status) {
  const detail = `the identity provider reports ${error}${isText(description) ? `: ${description}` : ""}`;
  return signInError(error, detail, { status });
}

/**
 * Exchanges a code or a refresh token.
 *
 * @param {object} settings those of `SignIn`.
 * @param {Record<string, string>} fields those of the grant.
 * @returns {Promise<object>} the response (RFC 6749 section 5.1).
 */
export async function requestTokens({ tokenEndpoint, clientID }, fields) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT * 1000);
  let response, text;
  try {
    // Without a custom header, browsers send no preflight, which some providers refuse.
    response = await fetch(tokenEndpoint, {
      method: "POST", body: new URLSearchParams({ ...fields, client_id: clientID }), credentials: "omit",
      cache: "no-store", redirect: "error", referrerPolicy: "no-referrer", signal: controller.signal,
    });
    text = await response.text();
  } catch (cause) {
    if (controller.signal.aborted) throw timeoutError("identity provider", tokenEndpoint, TIMEOUT);
    throw networkError("identity provider", tokenEndpoint, cause);
  } finally {
    clearTimeout(timer);
  }
  const { status, ok } = response, body = await new Response(text).json().catch(() => undefined);
  if (ok && isText(body?.access_token)) return body;
  // A limit of requests can be reported like a refusal, and a success without JSON is the page of another server.
  const retryable = TEMPORARY.includes(status) || TEMPORARY_CODES.includes(body?.error) || (ok && body === undefined);
  if (isText(body?.error) && !retryable) throw providerError(body, status);
  const message = `the identity provider responded with status ${status}`;
  throw signInError("UnexpectedResponse", message, { status, retryable });
}

/**
 * Returns the session that a response starts or renews.
 *
 * The signature of the ID token is not checked, because it comes directly from the token endpoint (OpenID Connect Core
 * 3.1.3.7). The service checks the signature of the token that it gets.
 *
 * @param {object} response
 * @param {object} settings those of `SignIn`.
 * @param {{nonce?: string, old?: object}} expected the nonce of the sign-in, or the session that is renewed.
 * @param {number} askedAt when the response was requested, in milliseconds since 1970. Lifetimes begin later.
 * @returns {{token: string, refreshToken: string|undefined, user: object, renewedAt: number, lifetime: number}} with
 *   `lifetime` in milliseconds.
 */
export function sessionIn(response, settings, { nonce, old }, askedAt) {
  const { id_token: idToken, access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = response;
  const user = isText(idToken) ? checkedClaims(idToken, settings, { nonce, old }, askedAt) : old?.user;
  if (!user) throw invalid("it has no ID token; the scopes must contain `openid`");
  const token = settings.token === "access" ? accessToken : idToken;
  if (!isText(token)) throw invalid("a renewal has no ID token; let the page send the access token");
  const { iat, exp } = claimsOf(token) ?? {};
  const lifetime = settings.token === "access" && seconds > 0 ? Number(seconds) : exp - iat;
  return {
    token, refreshToken: isText(refreshToken) ? refreshToken : old?.refreshToken, user, renewedAt: askedAt,
    // An access token without any lifetime is used until the service refuses it.
    lifetime: Number.isFinite(lifetime) ? lifetime * 1000 : Number.MAX_SAFE_INTEGER,
  };
}

function checkedClaims(idToken, { issuer, clientID }, { nonce, old }, now) {
  const claims = claimsOf(idToken);
  if (!claims) throw invalid("the ID token is not a JSON Web Token");
  const { iss, aud, azp, sub, exp, iat } = claims, audiences = [aud].flat();
  if (iss !== issuer) throw invalid(`the ID token's \`iss\` is ${iss}, not ${issuer}`);
  if (!audiences.includes(clientID) || (azp ?? clientID) !== clientID) {
    throw invalid("the ID token is for another client");
  }
  if (!isText(sub) || (old && sub !== old.user.sub)) throw invalid("the ID token is for another user");
  // The ID token of a renewal may lack the nonce.
  if (nonce !== undefined && claims.nonce !== nonce) throw invalid("the ID token is for another sign-in");
  if (!Number.isFinite(exp) || !Number.isFinite(iat)) throw invalid("the ID token has no `exp` or no `iat`");
  // It was issued a moment ago, so a clock is wrong.
  if (now / 1000 < iat - LEEWAY || now / 1000 > exp + LEEWAY) {
    const difference = Math.round(now / 1000 - iat);
    throw signInError("ClockSkew", `the clock of this device differs from the provider's by ${difference} s`);
  }
  return claims;
}

/** Returns the claims of a JSON Web Token, or undefined for another text. */
function claimsOf(token) {
  try {
    const text = atob(token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/"));
    const claims = JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (character) => character.charCodeAt(0))));
    return typeof claims === "object" && claims !== null ? claims : undefined;
  } catch {
    return undefined;
  }
}
