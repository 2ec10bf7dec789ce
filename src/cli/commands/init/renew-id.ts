import { realpath, stat } from 'node:fs/promises';
import { isMap, isScalar, parseDocument, type Document, type YAMLMap } from 'yaml';
import { readSafely } from '../../../files/safe-file.ts';
import { replaceFile } from '../../../files/replace-file.ts';
import { UsageError } from '../../../stack/usage-error.ts';

/** Replaces the stack id in a sluice.yaml; returns the name of the stack. Comments and layout are preserved. */
export async function renewId(path: string, id: string): Promise<string> {
  const read = readSafely(path);
  if (!('text' in read)) throw new UsageError(`${path} ${read.message}`, 'run sluice init to create a stack');
  // The parser's own search for keys that stand twice takes quadratic time.
  const document = parseDocument(read.text, { uniqueKeys: false });
  const stack = document.get('stack');
  if (document.errors.length > 0 || !isMap(stack))
    throw new UsageError(`${path} has no \`stack\` mapping`, 'run `sluice validate` to see the errors in sluice.yaml');
  const real = await realpath(path);
  const { mode } = await stat(real);
  await replaceFile(real, withId(read.text, document, stack, id), { mode: mode & 0o777 });
  return String(stack.get('name'));
}

/** The text with another id, and nothing else changed. */
function withId(text: string, document: Document, stack: YAMLMap, id: string): string {
  const node = stack.get('id', true);
  if (isScalar(node) && node.range) {
    const [start, end] = node.range;
    return `${text.slice(0, start)}"${id}"${text.slice(end)}`;
  }
  stack.set('id', id);
  return document.toString({ lineWidth: 0 });
}
