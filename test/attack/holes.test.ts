/*
 * Holes put into the program on purpose: attacks find each of them. Attacks that find none prove nothing.
 */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { attackOf } from './attack.ts';
import { cheapDigests } from './cheap-digests.ts';
import { attackedDatabase, type AttackedDatabase } from './database.ts';
import { holes } from './holes.ts';
import { verdictOn } from './verdict.ts';

let database: AttackedDatabase | undefined;

beforeAll(async () => {
  database = await attackedDatabase();
});

afterAll(() => database?.stop());

afterEach(() => {
  vi.restoreAllMocks();
});

// Each hole with the first attack that finds it; ATTACK_HOLES=all searches for them.
const finders: Readonly<Record<keyof typeof holes, number>> = {
  'sluice.yaml decides where the key is sent, also in a pipeline': 17,
  'the values of one format may be shown': 3,
  'what the service shows of such a field is not masked': 2,
  'masks search the text for the value of today': 3,
  'a saved plan keeps the text': 3,
  'manifests may read credentials': 25,
  'ids are believed from answers': 25,
  'an error contains the body of its request': 35,
  'a webhook gets its secret in place of a signature': 7,
  'endpoints repeat what came from outside': 57,
  'words of the service are repeated as they are': 35,
  'an error repeats the URL of the state store': 7,
  'a hazard contains the values that are required': 39,
  'drift is shown as it is': 24,
  'values can be inspected': 12,
};
// `npm run test:attack` tries many more.
const most = 150;

test.each(Object.entries(holes))('%s: found', { timeout: 1_200_000 }, async (name, open) => {
  cheapDigests();
  const tamper = open();
  const first = process.env['ATTACK_HOLES'] === 'all' ? 1 : (finders[name] ?? 1);
  for (let seed = first; seed <= most; seed++) {
    const { leaks } = await verdictOn(attackOf(seed, database), { tamper, database });
    if (leaks.length === 0) continue;
    if (seed !== first) console.log(`  ${JSON.stringify(name)}: ${String(seed)}, // ${leaks[0] ?? ''}`);
    return;
  }
  expect.fail(`none of the first ${String(most)} attacks has found it`);
});
