import type { Field, Fields, KindSet } from '../../src/kinds/kind.ts';

/** Where the kinds keep secrets: the path of every secret field, its kind first. */
export function secretPaths(kinds: KindSet): string[][] {
  return kinds.all.flatMap((kind) => inFields(kind.fields).map((path) => [kind.name, ...path]));
}

function inFields(fields: Fields): string[][] {
  return Object.entries(fields).flatMap(([name, field]) => inField(field).map((path) => [name, ...path]));
}

function inField(field: Field): string[][] {
  if (field.is === 'leaf') return field.secret === true ? [[]] : [];
  if (field.is === 'group') return inFields(field.fields);
  return field.is === 'list' && field.of.is === 'group' ? inFields(field.of.fields) : [];
}

/** Values that must never be seen anywhere, and where they are all the same. */
export class Canaries {
  readonly #planted = new Map<string, string>();
  readonly #first: number;

  /** @param first the number of the first one: none of another set if that has fewer */
  constructor(first = 0) {
    this.#first = first;
  }

  /** A new secret, unlike any other, named after where it is planted. */
  plant(where: string): string {
    // Letters that each encoding changes in its own way, so that an encoded one is found as such.
    const secret = `Kanari-${String(this.#first + this.#planted.size).padStart(3, '0')}-"q"?/ü-${where.replaceAll(/\W/g, '')}`;
    this.#planted.set(secret, where);
    return secret;
  }

  /** A secret of ASCII letters and digits only, for an API key. */
  plantKey(where: string): string {
    const secret = `KanariKey${String(this.#first + this.#planted.size).padStart(3, '0')}zwitschert`;
    this.#planted.set(secret, where);
    return secret;
  }

  /** A secret of lower case letters and digits only, for texts that take no other. */
  plantWord(where: string): string {
    const secret = `kanari${String(this.#first + this.#planted.size).padStart(3, '0')}zwitschert`;
    this.#planted.set(secret, where);
    return secret;
  }

  /** A text that is given: found by a piece of its longest line. */
  plantText(text: string, where: string): string {
    const lines = text.split(/\s+/).sort((a, b) => b.length - a.length);
    this.#planted.set((lines[0] ?? '').slice(-40), where);
    return text;
  }

  get count(): number {
    return this.#planted.size;
  }

  /** Which of them a text holds, plainly or in one of the usual encodings. */
  in(text: string): string[] {
    return [...this.#planted].flatMap(([secret, where]) =>
      encodingsOf(secret).some((form) => text.includes(form)) ? [where] : [],
    );
  }
}

const known = new Map<string, readonly string[]>();

function encodingsOf(secret: string): readonly string[] {
  const forms = known.get(secret) ?? encodings(secret);
  known.set(secret, forms);
  return forms;
}

function encodings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const quoted = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    quoted,
    JSON.stringify(quoted).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, '').slice(0, -1),
    bytes.toString('base64url').slice(0, -1),
    // The middle of it alone: what a cut or a line break would leave.
    secret.slice(0, 16),
  ];
}
