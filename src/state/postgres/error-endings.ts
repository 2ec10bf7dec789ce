const headerBytes = 5;
const [errorType, noticeType] = [0x45, 0x4e];

/**
 * Looks through what a server sends, and throws at an error or notice without its end, which is two zero bytes: the driver
 * would look for it for ever.
 */
export function errorEndings(): (bytes: Buffer) => void {
  let header: number[] = [];
  let left = 0;
  let ending: readonly number[] = [];

  return (bytes) => {
    for (let at = 0; at < bytes.length;) {
      const isHeader = header.length < headerBytes;
      const part = bytes.subarray(at, at + (isHeader ? headerBytes - header.length : left));
      at += part.length;
      if (isHeader) {
        header.push(...part);
        if (header.length < headerBytes) return;
        left = Buffer.from(header).readUInt32BE(1) - 4;
        if (left < 0) throw new Error('a message has no length');
      } else {
        left -= part.length;
        ending = [...ending, ...part.subarray(-2)].slice(-2);
      }
      if (left > 0) continue;
      const [type] = header;
      if ((type === errorType || type === noticeType) && (ending.length < 2 || ending.some((byte) => byte !== 0)))
        throw new Error('an error message has no end');
      header = [];
      ending = [];
    }
  };
}
