/**
 * Signing in with an identity provider: the tokens of one tab, and their renewal.
 *
 * @module signin
 */
import { authorizationURL, codeIn, random, requestTokens, sessionIn, signInError } from "./openid.js";
import { checkOptions } from "./options.js";

/** The names in sessionStorage, which browsers keep for the tab. */
const SESSION = "presign.signIn", PENDING = "presign.signIn.pending", ASK = "presign.signIn.ask";
/** A token is renewed this many milliseconds before it expires, or a fifth of its lifetime if that is less. */
const MARGIN = 60_000;
/** The parameters that a provider adds to the address. */
const PARAMETERS = ["code", "state", "iss", "session_state", "error", "error_description", "error_uri", "scope"];

export class SignIn {
  #settings;
  /** What `sessionIn` returns, or undefined. */
  #session;
  #renewal;
  #hasEnded = false;

  /** @param {object} settings `SignInOptions` in presign.d.ts. */
  constructor(settings) {
    checkOptions("SignIn", settings, [
      "issuer", "authorizationEndpoint", "tokenEndpoint", "clientID", "scopes", "token", "audience", "redirectURI",
    ]);
    this.#settings = { scopes: ["openid"], token: "id", ...settings };
    this.#settings.redirectURI ??= new URL(".", location.href).href;
    const kept = read(SESSION);
    if (kept?.client === this.#client) this.#session = kept.session;
  }

  /** The claims of the user's ID token, or undefined before a sign-in. */
  get user() { return this.#session?.user; }

  /** What tells the sign-ins of different clients apart. */
  get #client() {
    const { issuer, clientID, token } = this.#settings;
    return JSON.stringify([issuer, clientID, token]);
  }

  /**
   * Leads to the provider.
   *
   * @param {string} [place] what `complete` returns afterwards. The tab keeps it.
   */
  async start(place = "") {
    const { authorizationEndpoint, tokenEndpoint } = this.#settings;
    if (!authorizationEndpoint || !tokenEndpoint) {
      throw signInError("temporarily_unavailable", "the endpoints of the identity provider are not known yet");
    }
    if (!crypto.subtle) throw signInError("SignInInsecure", "browsers let only https pages and localhost sign in");
    const pending = { state: random(), nonce: random(), verifier: random(), place };
    if (!write(PENDING, pending)) {
      throw signInError("SignInBlocked", "the browser blocks sessionStorage, which signing in needs");
    }
    location.assign(await authorizationURL(this.#settings, pending, read(ASK) ? "login" : undefined));
  }

  /**
   * Completes a sign-in if the provider has led to this page, and removes its parameters from the address.
   *
   * @returns {Promise<string|undefined>} the place that `start` was given; undefined on other visits.
   * @throws {PresignError} with `source: "provider"` or `"network"`, and with the member `place`.
   */
  async complete() {
    const parameters = new URLSearchParams(location.search);
    if (!parameters.has("state") || !(parameters.has("code") || parameters.has("error"))) return undefined;
    removeFromAddress(PARAMETERS);
    const pending = read(PENDING);
    write(PENDING, undefined);
    try {
      const code = codeIn(parameters, pending, this.#settings), askedAt = Date.now();
      const response = await requestTokens(this.#settings, {
        grant_type: "authorization_code", code, redirect_uri: this.#settings.redirectURI,
        code_verifier: pending.verifier,
      });
      this.#keep(sessionIn(response, this.#settings, pending, askedAt));
      write(ASK, undefined);
    } catch (error) {
      throw Object.assign(error, { place: pending?.place });
    }
    return pending.place;
  }

  /**
   * Returns the headers of a request to the service; for `new Presign({ endpoint, headers: signIn.headers })`. Renews
   * the token before it expires.
   *
   * @throws {PresignError} `SignInExpired` if the sign-in has expired, so that no request is sent as a guest's.
   */
  headers = async () => {
    if (this.#session && this.#left() <= Math.min(MARGIN, this.#session.lifetime / 5)) await this.#renewIfPossible();
    if (this.#hasEnded) throw this.#expired();
    return this.#session ? { authorization: `Bearer ${this.#session.token}` } : {};
  };

  /** Renews the token now, for example because the service has refused it. Returns whether that succeeded. */
  async renew() {
    if (!this.#session?.refreshToken) return false;
    this.#renewal ??= this.#renew().finally(() => { this.#renewal = undefined; });
    return this.#renewal;
  }

  /** Forgets the user. The provider asks for the password at the next sign-in in this tab. */
  signOut() {
    if (this.#session) write(ASK, true);
    this.#hasEnded = false;
    this.#keep(undefined);
  }

  /** Milliseconds until the token expires. Measured from its request, because this device's clock may be wrong. */
  #left() { return this.#session.renewedAt + this.#session.lifetime - Date.now(); }

  async #renewIfPossible() {
    try {
      // A response that is late by the whole lifetime has renewed the sign-in all the same.
      if (await this.renew()) return;
    } catch (error) {
      // The provider may respond again before the token expires.
      if (this.#session && this.#left() <= 0) throw error;
    }
    // The user may have signed out meanwhile.
    if (this.#session && this.#left() <= 0) this.#end();
  }

  async #renew() {
    const old = this.#session, askedAt = Date.now();
    try {
      const response = await requestTokens(this.#settings, {
        grant_type: "refresh_token", refresh_token: old.refreshToken,
      });
      // The user may have signed out meanwhile.
      if (this.#session === old) this.#keep(sessionIn(response, this.#settings, { old }, askedAt));
      return true;
    } catch (error) {
      if (error.source === "network" || error.retryable) throw error;
      // The provider does not renew this sign-in any more. The token is used until it expires.
      if (this.#session === old) this.#keep({ ...old, refreshToken: undefined });
      return false;
    }
  }

  #end() {
    this.#hasEnded = true;
    this.#keep(undefined);
  }

  #expired() {
    return signInError("SignInExpired", "the sign-in has expired and cannot be renewed", { status: 401 });
  }

  #keep(session) {
    this.#session = session;
    if (session) this.#hasEnded = false;
    write(SESSION, session && { client: this.#client, session });
  }
}

function removeFromAddress(names) {
  const url = new URL(location.href);
  for (const name of names) url.searchParams.delete(name);
  history.replaceState(history.state, "", url);
}

/** Returns the value that the tab keeps under a name, or undefined. */
function read(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name)) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value under a name; undefined removes it. Returns whether the browser allows that. */
function write(name, value) {
  try {
    if (value === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
