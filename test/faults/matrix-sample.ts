import { expect, test } from 'vitest';
import type { Profile } from '../../src/kinds/kind.ts';
import { casesOf, sampleOf } from './cases.ts';
import { verdictOn } from './matrix.ts';
import { prepare } from './prepare.ts';
import { serverName, servers } from './servers.ts';
import { shareOf } from './selection.ts';
import { sampleSize } from '../support/samples.ts';

/**
 * Tests a sample of the cases of each server of a profile, in which each fault in each form and each request occurs. In
 * `npm test`, each of the servers has a share of its sample, the second the second, and so on.
 */
export function testMatrixSample(profile: Profile): void {
  const shares = sampleSize(36, 1);
  const mine = servers.filter((server) => server.profile === profile);
  test.each(mine.map((server) => ({ server, name: serverName(server) })))(
    'whatever goes wrong at whichever request, $name comes out as if nothing had',
    async ({ server }) => {
      const legs = await prepare(server);
      const failures: string[] = [];
      const sample = sampleOf([...casesOf(legs.create), ...casesOf(legs.change)], 190, servers.indexOf(server));
      for (const one of shareOf(sample, `${(servers.indexOf(server) % shares) + 1}/${shares}`)) {
        const { failure } = await verdictOn(one, legs[one.leg]);
        if (failure !== undefined) failures.push(failure);
      }
      expect(failures).toEqual([]);
    },
  );
}
