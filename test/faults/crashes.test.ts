/*
 * The process dies: at a request, before it is sent, once it is carried out, or once it is answered. Nothing that it
 * would have done or remembered afterwards happens. The next run takes it from there.
 */
import { describe, expect, test } from 'vitest';
import { judge } from './oracles.ts';
import { replayLine } from './cases.ts';
import { prepare, type Prepared } from './prepare.ts';
import { serverName, servers } from './servers.ts';
import { trial, type Cut } from './trial.ts';

const points = ['before-send', 'after-commit', 'after-answer'] as const;
// Every request of every server when all is asked for, and a part of them each time.
const stride = process.env['MATRIX'] === 'whole' ? 1 : 5;

describe.each(servers.map((server) => ({ server, name: serverName(server) })))('$name', ({ server }) => {
  test('dying at any request leaves nothing that the next run does not mend', async () => {
    const legs = await prepare(server);
    const failures: string[] = [];
    const cuts = Object.values(legs).flatMap((prepared) =>
      prepared.requests.flatMap((_, at) => points.map((point) => ({ prepared, cut: { request: at + 1, point } }))),
    );
    for (const [at, { prepared, cut }] of cuts.entries()) {
      if ((at + servers.indexOf(server)) % stride !== 0) continue;
      failures.push(...(await mended(prepared, cut)));
    }
    expect(failures).toEqual([]);
  }, 600_000);
});

async function mended(prepared: Prepared, cut: Cut): Promise<string[]> {
  const { server, leg } = prepared;
  const one = { server, leg, faults: [], seed: cut.request, cut };
  const evidence = await trial(prepared, one);
  const what = judge(evidence, prepared, []);
  const at = evidence.hit.map(({ method, path }) => `${method} ${path}`).join();
  return what.length === 0 ? [] : [`${replayLine(one)}  # ${at}: ${JSON.stringify(what)}`];
}
