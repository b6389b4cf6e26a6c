/** The tokens of a tab, and their renewal. */
import { Presign, SignIn } from "../presign.js";
import { expect, failure } from "./expect.js";
import { idToken, respond, settings, tokens } from "./provider.js";
import { settle } from "./world.js";

// Node.js has none.
if (!("sessionStorage" in globalThis)) {
  const items = new Map();
  globalThis.sessionStorage = {
    getItem: (name) => items.get(name) ?? null, setItem: (name, value) => items.set(name, value),
    removeItem: (name) => items.delete(name),
  };
}

const NAME = "presign.signIn", ASK = "presign.signIn.ask";
const access = { ...settings, token: "access" };

/** A tab in which the user signed in this many seconds ago, with an access token of 10 minutes. */
function tab(age, { refreshToken = "r1", client = [settings.issuer, "files", "access"] } = {}) {
  const session = {
    token: "old", refreshToken, user: { sub: "alice" }, renewedAt: Date.now() - age * 1000, lifetime: 600_000,
  };
  sessionStorage.setItem(NAME, JSON.stringify({ client: JSON.stringify(client), session }));
  sessionStorage.removeItem(ASK);
  return new SignIn(access);
}

const renewal = (members = {}) => {
  const seconds = Math.floor(Date.now() / 1000);
  return { json: tokens({ access_token: "new", id_token: idToken({ iat: seconds, exp: seconds + 600 }), ...members }) };
};
const tokenOf = async (signIn) => (await signIn.headers()).authorization;
const code = async (promise) => (await failure(promise)).code;

export const tests = {
  async "without a sign-in, requests are a guest's"() {
    sessionStorage.removeItem(NAME);
    const signIn = new SignIn(access);
    expect([await signIn.headers(), signIn.user, await signIn.renew()], [{}, undefined, false]);
  },

  async "a reload keeps the sign-in of this client, but not one of another client"() {
    expect(await tokenOf(tab(0)), "Bearer old");
    for (const client of [["https://other.test", "files", "access"], [settings.issuer, "files", "id"]]) {
      expect(tab(0, { client }).user, undefined);
    }
    sessionStorage.setItem(NAME, "not JSON");
    expect(new SignIn(access).user, undefined);
  },

  async "a token is renewed once, before it expires, however many requests wait for it"() {
    const requests = respond(renewal({ refresh_token: "r2" }), renewal({ access_token: "newer" }));
    const signIn = tab(541);
    expect(await Promise.all([1, 2, 3].map(() => tokenOf(signIn))), ["Bearer new", "Bearer new", "Bearer new"]);
    expect(requests.length, 1);
    expect(requests[0].fields, { grant_type: "refresh_token", refresh_token: "r1", client_id: "files" });
    expect(await signIn.renew(), true);
    expect([requests[1].fields.refresh_token, await tokenOf(signIn)], ["r2", "Bearer newer"]);
    expect(await tokenOf(new SignIn(access)), "Bearer newer", "after a reload");
  },

  async "a token far from its end is not renewed"() {
    const requests = respond(renewal());
    expect([await tokenOf(tab(539)), requests.length], ["Bearer old", 0]);
  },

  async "if the provider is unreachable, the token is used to its end, and then requests wait"() {
    const limit = { status: 429, json: { error: "too_many_requests" } };
    for (const response of [{ status: 0 }, { status: 503, json: "busy" }, limit]) {
      respond(response);
      expect(await tokenOf(tab(590)), "Bearer old");
      const { retryable } = await failure(tab(601).headers());
      expect(retryable, true);
    }
  },

  async "the lifetime of a renewed token begins with the request, and a late response ends no sign-in"() {
    const { now } = Date;
    try {
      for (const [delay, count] of [[0, 1], [539, 1], [541, 2], [601, 2]]) {
        let late = 0;
        Date.now = () => now() + late * 1000;
        const requests = respond(renewal({ refresh_token: "r2" }), renewal({ access_token: "newer" }));
        const { fetch } = globalThis;
        globalThis.fetch = (...request) => {
          late += delay;
          return fetch(...request);
        };
        const signIn = tab(541);
        expect(await tokenOf(signIn), "Bearer new");
        await tokenOf(signIn);
        expect([requests.length, signIn.user.sub], [count, "alice"], `after ${delay} s:`);
      }
    } finally {
      Date.now = now;
    }
  },

  async "if the provider does not renew the sign-in, it ends with the token, and no request is a guest's"() {
    const requests = respond({ status: 400, json: { error: "invalid_grant" } });
    const signIn = tab(590);
    expect([await tokenOf(signIn), await tokenOf(signIn), requests.length], ["Bearer old", "Bearer old", 1]);
    const ended = tab(601);
    const codes = [await code(ended.headers()), await code(ended.headers())];
    expect([...codes, ended.user], ["SignInExpired", "SignInExpired", undefined]);
    expect(await code(tab(601, { refreshToken: undefined }).headers()), "SignInExpired");
    ended.signOut();
    expect(await ended.headers(), {});
  },

  async "signing out forgets the tokens, also while they are renewed"() {
    for (const age of [541, 601]) {
      const refusal = { status: 400, json: { error: "invalid_grant" } };
      for (const response of [renewal(), { status: 503, json: "busy" }, refusal]) {
        respond(response);
        const { fetch } = globalThis;
        let respondNow;
        globalThis.fetch = (...request) => new Promise((resolve) => { respondNow = () => resolve(fetch(...request)); });
        const signIn = tab(age), headers = signIn.headers();
        await settle();
        signIn.signOut();
        respondNow();
        const state = [await headers, signIn.user, sessionStorage.getItem(NAME)];
        expect(state, [{}, undefined, null], `${response.status}:`);
        expect(sessionStorage.getItem(ASK), "true", "the provider asks for the password next time");
      }
    }
  },

  async "a provider whose endpoints are not known yet is reported"() {
    const signIn = new SignIn({ ...access, authorizationEndpoint: undefined });
    expect(await code(signIn.start("")), "temporarily_unavailable");
  },

  async "an upload that waits for the provider continues with the renewed token"(world) {
    const { fetch } = globalThis, sent = [];
    let failures = 2;
    world.hurry(1000);
    globalThis.fetch = async (url, options) => {
      if (String(url) !== settings.tokenEndpoint) {
        sent.push(options.headers.get("authorization"));
        return fetch(url, options);
      }
      failures -= 1;
      if (failures >= 0) throw new TypeError("unreachable");
      return new Response(JSON.stringify(renewal().json));
    };
    const presign = new Presign({ endpoint: world.service, headers: tab(601).headers });
    await presign.upload(new Blob(["text"]), { path: "a.txt" });
    expect([sent.length > 0, new Set(sent).size, sent[0], failures], [true, 1, "Bearer new", -1]);
  },
};
