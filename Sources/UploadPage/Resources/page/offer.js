/** The question whether to use the key of a link, whose sender can open the folders that the key opens. */
import { showFolder } from "./address.js";
import { announce, element, on, setText } from "./dom.js";
import { idOf, setKey } from "./key.js";
import { state, update, watch } from "./state.js";
import { phrases } from "./words.js";

let shown;

/** Connects the controls, and shows the question. `open` opens a folder with the new key. */
export function startOffer(open) {
  watch(viewOffer);
  update();
  on("use-key", "click", () => {
    const { key, folder } = state.offer;
    setKey(key);
    showFolder(folder);
    open(folder);
    element("account-chip").focus();
  });
  on("keep-key", "click", () => {
    update({ offer: undefined });
    element("account-chip").focus();
  });
}

/** Shows the question, with the focus on the button that does not use the key. */
function viewOffer({ offer, access, caller }) {
  // The text names the user.
  if (offer && access === "unknown") return;
  element("offer").hidden = !offer;
  const isNew = offer && offer !== shown;
  shown = offer;
  if (!offer) return;
  const text = phrases.offered(access === "accepted" ? phrases.current(caller) : "");
  setText(element("offer-title"), phrases.offer(idOf(offer.key)));
  setText(element("offer-text"), text);
  if (!isNew) return;
  announce(text);
  element("keep-key").focus();
}
