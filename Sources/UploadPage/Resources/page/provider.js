/** The identity provider with which users sign in, if the service has one. Its modules are loaded only then. */
import { settings } from "./language.js";
import { state, update } from "./state.js";

async function load() {
  const { SignIn } = await import("../js/signin.js");
  // A trailing slash, as in the provider's list of redirect URIs.
  return new SignIn({ ...settings.signIn, redirectURI: new URL(".", document.baseURI).href });
}

/** @type {import("../presign.d.ts").SignIn|undefined} */
export const provider = settings.signIn === undefined ? undefined : await load();

/** Whether the requests to the service have the token of a user. */
export const hasToken = () => state.key === "" && provider?.user !== undefined;

/** Returns the name that the provider gives the user, or undefined. */
export const userName = () => [provider?.user?.name, provider?.user?.preferred_username, provider?.user?.email]
  .find((name) => typeof name === "string" && name.trim() !== "");

/** Leads to the provider, which leads back to the folder. */
export async function signIn() {
  try {
    await provider.start(state.folder);
  } catch (error) {
    update({ signInError: error });
  }
}

/** Completes a sign-in. Returns the folder from which it was started; undefined on other visits. */
export async function completeSignIn() {
  try {
    return await provider?.complete();
  } catch (error) {
    update({ signInError: error });
    return error.place;
  }
}
