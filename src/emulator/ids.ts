import { createHash, randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Where the emulator's ids and keys come from: the same ones in every run for the same seed. */
export interface Chance {
  /** A new id, `prefix_` and 27 base62 characters. */
  readonly id: (prefix: string) => string;
  /** How many ids were drawn; set it to go on where another left off. */
  drawn: number;
  /** 32 bytes that depend on the seed and the words alone. */
  readonly bytes: (...words: readonly string[]) => Buffer;
  /** A whole number below `below` that depends on the seed and the words alone. */
  readonly number: (below: number, ...words: readonly string[]) => number;
}

/** Makes a source of ids; without a seed every run has its own. */
export function chance(seed: string | number | undefined): Chance {
  const root = seed === undefined ? randomBytes(16).toString('hex') : String(seed);
  const bytes = (...words: readonly string[]) =>
    createHash('sha256')
      .update(JSON.stringify([root, ...words]))
      .digest();
  const self: Chance = {
    drawn: 0,
    bytes,
    number: (below, ...words) => bytes(...words).readUInt32BE(0) % below,
    id: (prefix) => `${prefix}_${base62(bytes('id', prefix, String(self.drawn++)))}`,
  };
  return self;
}

/** 27 characters out of 32 bytes. */
export function base62(bytes: Buffer): string {
  let text = '';
  for (let index = 0; index < 27; index++) text += alphabet.charAt((bytes[index] ?? 0) % 62);
  return text;
}
