/*
 * Holes put into the program on purpose: attacks find each of them. Attacks that find none prove nothing.
 */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { sampleSize } from '../support/samples.ts';
import { attackOf } from './attack.ts';
import { cheapDigests } from '../support/cheap-digests.ts';
import { attackedDatabase, type AttackedDatabase } from './database.ts';
import { finders } from './finders.ts';
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

// `npm run test:attack` tries many more.
const most = 150;

const searchesAll = process.env['ATTACK_HOLES'] === 'all';
// `npm test` opens every third of them.
const every = searchesAll ? 1 : sampleSize(3, 1);
const opened = Object.entries(holes).filter((_, at) => at % every === 0);

test.each(opened)('%s: found', { timeout: 1_200_000 }, async (name, open) => {
  cheapDigests();
  const tamper = open();
  const first = searchesAll ? 1 : (finders[name] ?? 1);
  for (let seed = first; seed <= most; seed++) {
    const { leaks } = await verdictOn(attackOf(seed, database), { tamper, database });
    if (leaks.length === 0) continue;
    if (seed !== first) console.log(`  ${JSON.stringify(name)}: ${String(seed)}, // ${leaks[0] ?? ''}`);
    return;
  }
  expect.fail(`none of the first ${String(most)} attacks has found it`);
});
