/** One element of DER (X.690): its tag and what it holds. */
export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
}

/** The elements that follow each other in DER that is known to be sound. */
export function derElements(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at + 2 <= bytes.length;) {
    const tag = bytes.readUInt8(at);
    const first = bytes.readUInt8(at + 1);
    const more = first > 0x80 ? first & 0x7f : 0;
    const length = more === 0 ? first : bytes.readUIntBE(at + 2, more);
    const start = at + 2 + more;
    elements.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}

/** An element of DER made of its parts. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const hex = content.length.toString(16);
  const length = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content]);
}

/** Tags of DER that the emulator reads and writes. */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
  explicit0: 0xa0,
  explicit3: 0xa3,
} as const;
