/*
 * The process dies: at a request, before it is sent, once it is carried out, or once it is answered. Nothing that it
 * would have done or remembered afterwards happens. The next run takes it from there.
 */
import { describe, expect, test } from 'vitest';
import { sampleSize } from '../support/samples.ts';
import { deathsOf } from './cases.ts';
import { verdictOn } from './matrix.ts';
import { prepare } from './prepare.ts';
import { serverName, servers } from './servers.ts';

// The whole matrix has all of them.
const stride = sampleSize(150, 5);

describe.each(servers.map((server) => ({ server, name: serverName(server) })))('$name', ({ server }) => {
  test('dying at any request leaves nothing that the next run does not mend', async () => {
    const legs = await prepare(server);
    const deaths = Object.values(legs).flatMap(deathsOf);
    const failures: (string | undefined)[] = [];
    for (const [at, one] of deaths.entries())
      if ((at + servers.indexOf(server)) % stride === 0) failures.push((await verdictOn(one, legs[one.leg])).failure);
    expect(failures.filter((failure) => failure !== undefined)).toEqual([]);
  });
});
