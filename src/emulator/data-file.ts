import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { StateError } from '../diagnostics/errors.ts';
import type { SpecObject } from '../kinds/value.ts';
import type { AccountData } from './account.ts';

const json = z.record(z.string(), z.json()).transform((value) => value as SpecObject);

const format = z.object({
  format: z.literal(1),
  drawn: z.int(),
  created: z.int(),
  resources: z.array(
    z.object({
      kind: z.string(),
      id: z.string(),
      parent: z.string().exactOptional(),
      seq: z.int(),
      created_at: z.string(),
      spec: json,
      own: json,
    }),
  ),
  keys: z.record(z.string(), z.string()),
  notes: z.record(z.string(), z.string()),
});

/** Reads an account kept in a file; undefined when there is no such file. Its secrets are in the clear (rulings 17). */
export async function readAccount(file: string): Promise<AccountData | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw unusable(file, 'cannot be read', cause);
  }
  try {
    return format.parse(JSON.parse(text));
  } catch {
    // The cause would repeat parts of the file, and those may be secrets.
    throw unusable(file, 'does not hold an account of this emulator', undefined);
  }
}

/** Keeps an account in a file that only its owner can read, replaced whole or not at all. */
export async function writeAccount(file: string, account: AccountData): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    const handle = await open(temporary, 'w', 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(account)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
    const folder = await open(dirname(file), 'r');
    await folder.sync().finally(() => folder.close());
  } catch (cause) {
    await rm(temporary, { force: true });
    throw unusable(file, 'cannot be written', cause);
  }
}

function unusable(file: string, why: string, cause: unknown): StateError {
  return new StateError('EMULATOR_DATA', `the emulator's data file ${file} ${why}`, {
    cause,
    hint: 'name another file with --data, or move this one away to begin with an empty account',
  });
}
