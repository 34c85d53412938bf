// The cleaned HTML of a page, as far as it is needed to show a part of it: which element lies in which, and where each
// stands in the text. What is shown is cut from the text; nothing is decoded and printed again.

/** One element, with its places in the text. */
export interface Element {
  readonly tag: string;
  /** Upstream's `backend_node_id`; null where it has none. */
  readonly node: string | null;
  readonly parent: Element | null;
  readonly children: Element[];
  readonly start: number;
  /** Just behind the opening tag. */
  readonly inner: number;
  innerEnd: number;
  end: number;
}

/** How much of the page is shown around each candidate. */
export const around = { depth: 5, descendants: 50, siblings: 3, in_siblings: 6 } as const;

const deepest = 512;

/** Elements that never have a closing tag. */
const empty = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

const node = /\sbackend_node_id\s*=\s*["']?([^"'\s>]*)["']?/;
/** Upstream's recorder marks the elements that it knows, the target among them. */
const marks = /\s(?:backend_node_id|data[-_]pw[-_]testid[-_]buckeye[-_\w]*)\s*=\s*(?:"[^"]*"|'[^']*'|[^"'\s>]*)/g;

export class Page {
  readonly html: string;
  readonly roots: Element[] = [];
  readonly #byNode = new Map<string, Element>();
  #count = 0;

  constructor(html: string) {
    this.html = html;
    this.#parse();
  }

  get elements(): number {
    return this.#count;
  }

  find(node: string): Element | undefined {
    return this.#byNode.get(node);
  }

  /** The words of an element and of what lies in it, white space collapsed. */
  text(element: Element): string {
    const words: string[] = [];
    const gather = (at: Element) => {
      let from = at.inner;
      for (const child of at.children) {
        words.push(this.html.slice(from, child.start));
        gather(child);
        from = child.end;
      }
      words.push(this.html.slice(from, at.innerEnd));
    };
    gather(element);
    return unescaped(words.join(' ')).replaceAll(/\s+/g, ' ').trim();
  }

  /** The whole page, each candidate with its name in place of upstream's marks. */
  whole(names: ReadonlyMap<string, string>): string {
    const pieces: string[] = [];
    let from = 0;
    const walk = (elements: readonly Element[]) => {
      for (const element of elements) {
        pieces.push(this.html.slice(from, element.start), this.#opening(element, names));
        from = element.inner;
        walk(element.children);
      }
    };
    walk(this.roots);
    pieces.push(this.html.slice(from));
    return pieces.join('');
  }

  /**
   * The candidates with what lies around them, alike for each: ancestors, the nearest siblings, descendants. Wrappers
   * that say nothing are left out.
   */
  pruned(names: ReadonlyMap<string, string>): { readonly html: string; readonly shown: number } {
    const kept = new Set<Element>();
    for (const name of names.keys()) {
      const candidate = this.#byNode.get(name);
      if (candidate === undefined) continue;
      keepWithin(candidate, around.depth, around.descendants, kept);
      for (let above = candidate.parent; above !== null; above = above.parent) kept.add(above);
      const siblings = candidate.parent?.children ?? this.roots;
      const at = siblings.indexOf(candidate);
      for (const sibling of siblings.slice(Math.max(0, at - around.siblings), at + around.siblings + 1)) {
        if (sibling !== candidate) keepWithin(sibling, 2, around.in_siblings, kept);
      }
    }
    const pieces: string[] = [];
    let shown = 0;
    const words = (from: number, to: number) => {
      const text = this.html.slice(from, to).replaceAll(/\s+/g, ' ').trim();
      if (text !== '') pieces.push(text);
    };
    const walk = (element: Element) => {
      const children = element.children.filter(child => kept.has(child));
      const opening = this.#opening(element, names);
      const bare = opening === `<${element.tag}>` || opening === `<${element.tag}/>`;
      const wrapper = bare && (element.tag === 'text' || (children.length === 1 && this.#ownWords(element) === ''));
      if (!wrapper) {
        pieces.push(opening);
        shown++;
      }
      let from = element.inner;
      for (const child of element.children) {
        words(from, child.start);
        if (kept.has(child)) walk(child);
        from = child.end;
      }
      words(from, element.innerEnd);
      if (!wrapper && element.innerEnd < element.end) pieces.push(`</${element.tag}>`);
    };
    for (const root of this.roots) if (kept.has(root)) walk(root);
    return { html: pieces.join(' '), shown };
  }

  #opening(element: Element, names: ReadonlyMap<string, string>): string {
    const tag = this.html.slice(element.start, element.inner).replaceAll(marks, '');
    const name = element.node === null ? undefined : names.get(element.node);
    if (name === undefined) return tag;
    const end = 1 + element.tag.length;
    return `${tag.slice(0, end)} candidate="${name}"${tag.slice(end)}`;
  }

  #ownWords(element: Element): string {
    let words = '';
    let from = element.inner;
    for (const child of element.children) {
      words += this.html.slice(from, child.start);
      from = child.end;
    }
    return (words + this.html.slice(from, element.innerEnd)).trim();
  }

  #parse(): void {
    const { html } = this;
    const open: Element[] = [];
    const close = (innerEnd: number, end: number) => Object.assign(open.pop()!, { innerEnd, end });
    let at = html.indexOf('<');
    while (at !== -1) {
      const named = /^<(\/?)([A-Za-z][^\s/>]*)/.exec(html.slice(at, at + 80));
      const end = named === null ? at + 1 : tagEnd(html, at);
      // The rest is text.
      if (end === -1) break;
      if (named !== null) {
        const [, slash, tag] = named as unknown as [string, string, string];
        if (slash === '/') {
          const depth = open.findLastIndex(element => element.tag === tag);
          // What upstream left open ends with what it lies in.
          if (depth !== -1) {
            while (open.length > depth + 1) close(at, at);
            close(at, end);
          }
        } else {
          // Browsers nest no deeper: beyond it, upstream left elements open.
          if (open.length === deepest) close(at, at);
          this.#add(open, { tag, start: at, inner: end });
          if (html[end - 2] === '/' || empty.has(tag)) close(end, end);
        }
      }
      at = html.indexOf('<', end);
    }
    while (open.length > 0) close(html.length, html.length);
  }

  #add(open: Element[], { tag, start, inner }: Pick<Element, 'tag' | 'start' | 'inner'>): void {
    const parent = open.at(-1) ?? null;
    const id = node.exec(this.html.slice(start, inner))?.[1] ?? null;
    const element: Element = { tag, node: id, parent, children: [], start, inner, innerEnd: inner, end: inner };
    (parent?.children ?? this.roots).push(element);
    open.push(element);
    this.#count++;
    if (id !== null && !this.#byNode.has(id)) this.#byNode.set(id, element);
  }
}

/** Whether one of the two lies in the other. */
export function nested(one: Element, other: Element): boolean {
  return (one.start <= other.start && other.end <= one.end) || (other.start <= one.start && one.end <= other.end);
}

/** Just behind the tag that starts at `at`; -1 where it has no end. */
function tagEnd(html: string, at: number): number {
  let quote = '';
  for (let index = at + 1; index < html.length; index++) {
    const letter = html[index]!;
    if (quote !== '') {
      if (letter === quote) quote = '';
    } else if (letter === '>') {
      return index + 1;
      // An apostrophe is a quote only where a value starts.
    } else if ((letter === '"' || letter === "'") && html[index - 1] === '=') {
      quote = letter;
    }
  }
  return -1;
}

/** Keeps an element and the first of its descendants, down to a depth. */
function keepWithin(element: Element, depth: number, most: number, kept: Set<Element>): void {
  let left = most;
  const walk = (at: Element, below: number) => {
    kept.add(at);
    if (below === 0) return;
    for (const child of at.children) {
      if (left-- <= 0) return;
      walk(child, below - 1);
    }
  };
  walk(element, depth);
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replaceAll(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g, (all, name, decimal, hex) => {
    if (name !== undefined) return entities[name as string]!;
    const code = decimal === undefined ? parseInt(hex as string, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      ? String.fromCodePoint(code)
      : (all as string);
  });
}
