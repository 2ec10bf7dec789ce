import { afterAll, expect, test } from 'vitest';
import { runMatrix, table, type Tally } from './matrix.ts';
import { serverName, servers } from './servers.ts';

const named = process.env['MATRIX'] ?? '';
const mine = servers.filter(({ profile }) => profile === 'completed');
const tally: Tally = { rows: new Map(), failures: [] };

// A case that is replayed is a test of its own.
test.skipIf(named.includes('/')).each(mine.map((server) => ({ server, name: serverName(server) })))(
  'whatever goes wrong at whichever request, $name comes out as if nothing had',
  async ({ server }) => {
    await runMatrix(server, tally);
    expect(tally.failures.splice(0)).toEqual([]);
  },
  // On a machine that others use as well, the whole takes its time.
  6 * 3_600_000,
);

afterAll(() => {
  if (tally.rows.size > 0 && named !== '') process.stdout.write(`${table(tally)}\n`);
});
