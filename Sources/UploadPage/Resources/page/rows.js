/** Lists of any length: there are nodes only for the rows near the visible part, and for the row with the focus. */

/** The number of rows before and behind the visible part. */
const MARGIN = 20;
/** The longest list whose controls are all reached with the tab key. In a longer one, arrow keys change the row. */
const TABBED = 40;
/** The height of a row in pixels until one is measured. */
const HEIGHT = 42;
const CONTROLS = "a[href], button, input, summary";
const KEYS = {
  ArrowDown: (index) => index + 1, ArrowUp: (index) => index - 1, Home: () => 0, End: (_, count) => count - 1,
};

export class Rows {
  #list;
  #create;
  #show;
  #scrollsItself;
  #items = [];
  /** The nodes by item, and the items by node. */
  #nodes = new Map();
  #shown = new WeakMap();
  /** The heights of the rows that were measured, and where each row begins. */
  #heights = new WeakMap();
  #height = HEIGHT;
  #isMeasured = false;
  #offsets = [0];
  #width;
  /** The item whose controls the tab key reaches in a long list. */
  #current;
  #frame;
  #observer = new ResizeObserver((entries) => this.#measure(entries));

  /**
   * @param {HTMLUListElement} list
   * @param {object} options
   * @param {(item: object) => HTMLLIElement} options.create
   * @param {(item: object, node: HTMLLIElement) => void} [options.show] updates a row.
   * @param {boolean} [options.scrollsItself] whether the list scrolls, and not the page.
   */
  constructor(list, { create, show = () => {}, scrollsItself = false }) {
    this.#list = list;
    this.#create = create;
    this.#show = show;
    this.#scrollsItself = scrollsItself;
    const later = () => { this.#frame ??= requestAnimationFrame(() => this.#render()); };
    (scrollsItself ? list : document).addEventListener("scroll", later, { passive: true });
    addEventListener("resize", later);
    list.addEventListener("focusin", ({ target }) => {
      this.#current = this.#itemOf(target) ?? this.#current;
      later();
    });
    list.addEventListener("keydown", (event) => this.#move(event));
  }

  /**
   * Shows these items, in this order. If the row with the focus is gone, the next one gets the focus.
   *
   * @returns {boolean} false if the focus is lost, because no row is left.
   */
  show(items) {
    const focused = this.#itemOf(document.activeElement), index = this.#items.indexOf(focused);
    this.#items = items;
    const isGone = focused !== undefined && !items.includes(focused);
    this.#layOut();
    this.#render();
    if (isGone && items.length > 0) this.focus(Math.min(Math.max(index, 0), items.length - 1));
    return !isGone || items.length > 0;
  }

  /** Whether a row has the focus. */
  hasFocus(item) { return this.#nodes.get(item)?.contains(document.activeElement) ?? false; }

  /** Moves the focus to a row: to its control with this action, or its first one. */
  focus(index, action) {
    this.#current = this.#items[index];
    if (this.#current === undefined) return;
    this.#render();
    const node = this.#nodes.get(this.#current);
    const control = node.querySelector(`[data-action="${action}"]`) ?? node.querySelector(CONTROLS);
    control?.focus();
    control?.scrollIntoView({ block: "nearest" });
  }

  #itemOf(node) { return this.#shown.get(node?.closest?.("li")); }

  #move(event) {
    const item = this.#itemOf(event.target);
    if (item === undefined || !(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const index = KEYS[event.key](this.#items.indexOf(item), this.#items.length);
    this.focus(Math.min(Math.max(index, 0), this.#items.length - 1), event.target.dataset.action);
  }

  #measure(entries) {
    const width = this.#list.clientWidth;
    // Names and buttons of another width have other heights.
    if (width !== this.#width) [this.#heights, this.#isMeasured] = [new WeakMap(), false];
    this.#width = width;
    for (const { target, borderBoxSize: [{ blockSize }] } of entries) {
      const item = this.#shown.get(target);
      if (blockSize === 0 || !this.#nodes.has(item)) continue;
      if (!this.#isMeasured) this.#height = blockSize;
      this.#isMeasured = true;
      this.#heights.set(item, blockSize);
    }
    const end = this.#offsets.at(-1);
    this.#layOut();
    if (this.#offsets.at(-1) !== end) this.#render();
  }

  /** Calculates where each row begins. */
  #layOut() {
    let end = 0;
    this.#offsets = [0, ...this.#items.map((item) => end += this.#heights.get(item) ?? this.#height)];
  }

  /** The indices of the rows to show. */
  get #indices() {
    // Measuring costs a layout.
    if (this.#items.length === 0) return [];
    const { innerHeight } = window, list = this.#list;
    const top = this.#scrollsItself ? list.scrollTop : -list.getBoundingClientRect().top;
    const bottom = top + (this.#scrollsItself ? Math.min(list.clientHeight, innerHeight) : innerHeight);
    const first = Math.max(0, this.#indexAt(top) - MARGIN);
    const last = Math.min(this.#items.length, this.#indexAt(bottom) + 1 + MARGIN);
    const indices = Array.from({ length: last - first }, (_, index) => first + index);
    const current = this.#items.indexOf(this.#current);
    if (current < 0 || (current >= first && current < last)) return indices;
    return current < first ? [current, ...indices] : [...indices, current];
  }

  /** The index of the row at an offset. */
  #indexAt(offset) {
    let low = 0, high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#offsets[middle + 1] <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #render() {
    cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    const focused = this.#list.contains(document.activeElement) ? document.activeElement : undefined;
    const indices = this.#indices, items = this.#items, wanted = new Set(indices.map((index) => items[index]));
    for (const [item, node] of this.#nodes) if (!wanted.has(item)) this.#remove(item, node);
    let next = this.#list.firstElementChild, end = 0;
    for (const index of indices) {
      const node = this.#nodes.get(items[index]) ?? this.#add(items[index]);
      this.#show(items[index], node);
      if (node === next) next = next.nextElementSibling;
      else this.#list.insertBefore(node, next);
      setStyle(node, "marginBlockStart", this.#offsets[index] - end);
      setAttribute(node, "aria-setsize", items.length);
      setAttribute(node, "aria-posinset", index + 1);
      end = this.#offsets[index + 1];
    }
    setStyle(this.#list, "paddingBlockEnd", this.#offsets.at(-1) - end);
    this.#setTabStops(items[indices[0]]);
    // A row that was moved has lost the focus.
    if (focused?.isConnected && document.activeElement === document.body) focused.focus({ preventScroll: true });
  }

  #setTabStops(first) {
    const isLong = this.#items.length > TABBED;
    const current = this.#nodes.has(this.#current) ? this.#current : first;
    for (const [item, node] of this.#nodes) {
      const index = isLong && item !== current ? -1 : 0;
      for (const control of node.querySelectorAll(CONTROLS)) if (control.tabIndex !== index) control.tabIndex = index;
    }
  }

  #add(item) {
    const node = this.#create(item);
    this.#nodes.set(item, node);
    this.#shown.set(node, item);
    this.#observer.observe(node);
    return node;
  }

  #remove(item, node) {
    this.#observer.unobserve(node);
    this.#nodes.delete(item);
    node.remove();
  }
}

/** Changes a length only if it differs, because each change costs a layout. */
function setStyle(node, name, pixels) {
  const value = pixels > 0.5 ? `${pixels}px` : "";
  if (node.style[name] !== value) node.style[name] = value;
}

function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}
