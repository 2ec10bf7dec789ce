import { describe, expect, test } from 'vitest';
import { withoutPostgres } from '../../support/postgres-server.ts';
import { notBuilt } from '../../support/processes.ts';
import { soakFleet } from './fleet-soak.ts';

const given = process.env['FLEET_SOAK_SECONDS'];
const seconds = Number(given ?? 0);
const seed = Number(process.env['SOAK_SEED'] ?? 1);
const leftOut = given === undefined ? ' (left out: run `npm run test:soak`)' : notBuilt || withoutPostgres;

describe.skipIf(leftOut !== '')(`a soak of a fleet${leftOut}`, () => {
  test.each([
    ['on standby for each other', false],
    ['that divide the stacks', true],
  ])(
    `of ${seconds} s, with processes %s: whatever happens, every stack ends as its manifests say, and nothing else was deleted`,
    { timeout: seconds * 1_000 + 400_000 },
    async (_, isDivided) => {
      const again = `FLEET_SOAK_SECONDS=${seconds} SOAK_SEED=${seed} npm run test:soak`;
      console.log(`again with: ${again}`);
      const { violations, table } = await soakFleet({ seconds, seed, isDivided, say: (line) => console.log(line) });
      console.log(table);
      expect(violations, `${again}\n\n${table}`).toEqual([]);
    },
  );
});
