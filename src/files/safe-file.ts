import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { Code } from '../diagnostics/codes.ts';

/** What is read of one file at most, unless more is asked for. */
export const fileBytes = 1_000_000;

/** The text of a file, or why it was not read. */
export type FileText = { readonly text: string } | FileProblem;

/** Why a file was not read. */
export interface FileProblem {
  readonly code: Code;
  readonly message: string;
  /** What to do, where that is known of the content. */
  readonly hint?: string;
}

/** What is read at most of a file that sluice itself keeps: what one text can hold. */
export const keptFileBytes = 500_000_000;

/** Reads a regular file of bounded size as text. */
export function readSafely(path: string, maxBytes: number = fileBytes): FileText {
  const read = readBytes(path, maxBytes);
  return 'bytes' in read ? decodeText(read.bytes, maxBytes) : read;
}

/** Reads a regular file of bounded size. A pipe or device is never waited for, and the open file is checked again. */
export function readBytes(path: string, maxBytes: number): { readonly bytes: Buffer } | FileProblem {
  let descriptor: number | undefined;
  try {
    const before = statSync(path);
    if (!before.isFile()) return notAFile(before);
    if (before.size > maxBytes) return tooLarge(maxBytes);
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const opened = fstatSync(descriptor);
    if (!opened.isFile()) return notAFile(opened);
    const bytes = readBounded(descriptor, opened.size, maxBytes);
    return bytes.length > maxBytes ? tooLarge(maxBytes) : { bytes };
  } catch (error) {
    return unreadable(error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Bytes as text: valid UTF-8 without NUL, of bounded size; a byte order mark is left to the parser. */
export function decodeText(bytes: Buffer, maxBytes: number = fileBytes): FileText {
  if (bytes.length > maxBytes) return tooLarge(maxBytes);
  // Its byte order mark, which no UTF-8 begins with.
  if ([0xfffe, 0xfeff].includes(bytes.length < 2 ? 0 : bytes.readUInt16BE()))
    return { code: 'INVALID_TEXT', message: 'is UTF-16, not UTF-8', hint: 'save the file as UTF-8' };
  if (bytes.includes(0)) return { code: 'INVALID_TEXT', message: `contains a NUL byte at offset ${bytes.indexOf(0)}` };
  try {
    return { text: utf8.decode(bytes) };
  } catch {
    return { code: 'INVALID_TEXT', message: 'is not valid UTF-8' };
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What a failed call of the file system means to a person. */
export function unreadable(error: unknown): FileProblem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'ENOENT' || code === 'ENOTDIR') return { code: 'FILE_NOT_FOUND', message: 'does not exist' };
  if (code === 'ELOOP') return { code: 'FILE_UNREADABLE', message: 'is a broken link' };
  return { code: 'FILE_UNREADABLE', message: `cannot be read (${code})` };
}

function readBounded(descriptor: number, size: number, maxBytes: number): Buffer {
  let buffer = Buffer.allocUnsafe(Math.min(maxBytes, size) + 1);
  let total = 0;
  for (;;) {
    const count = readSync(descriptor, buffer, total, buffer.length - total, null);
    total += count;
    if (count === 0 || total > maxBytes) return buffer.subarray(0, total);
    // It is larger than it said.
    if (total === buffer.length) buffer = Buffer.concat([buffer], Math.min(2 * total, maxBytes + 1));
  }
}

function tooLarge(maxBytes: number): FileProblem {
  return { code: 'TOO_LARGE', message: `is larger than ${maxBytes} bytes` };
}

function notAFile(stats: { isDirectory: () => boolean; isFIFO: () => boolean; isSocket: () => boolean }): FileProblem {
  const what = stats.isDirectory()
    ? 'a directory'
    : stats.isFIFO()
      ? 'a pipe'
      : stats.isSocket()
        ? 'a socket'
        : 'a device';
  return { code: 'NOT_A_REGULAR_FILE', message: `is ${what}, not a file` };
}
