import { test } from 'vitest';
import { appendFileSync } from 'node:fs';
import { prepare } from './prepare.ts';
import { servers } from './servers.ts';
import { trial } from './trial.ts';
import { judge } from './oracles.ts';
import { casesOf, sampleOf, nameOf, caseNamed } from './cases.ts';

test('probe', async () => {
  const out = (s: string) => appendFileSync('/tmp/probe.out', s + '\n');
  const one = process.env['ONE'];
  const which = (process.env['SERVERS'] ?? '0').split(',').map((i) => servers[Number(i)]!);
  for (const server of one === undefined ? which : [caseNamed(one, servers).server]) {
    const legs = await prepare(server);
    const all = [...casesOf(legs.create), ...casesOf(legs.change)];
    const cases = one !== undefined ? [caseNamed(one, servers)] : sampleOf(all, Number(process.env['COUNT']), Number(process.env['SEED'] ?? 0));
    const t = performance.now();
    let bad = 0, unk = 0;
    for (const c of cases) {
      const t1 = performance.now();
      let v; let e;
      try {
        e = await trial(legs[c.leg], c);
        v = judge(e, legs[c.leg], c.faults);
        unk += e.settled.length > 0 ? 1 : 0;
      } catch (error) { v = [{ oracle: 0, what: String((error as Error).stack) }]; }
      if (one !== undefined) { console.log(e?.hit, e?.runs.map((r) => [r.requests, r.writes, r.ms, r.error, r.outcome?.changes.filter((x) => x.ending !== 'done'), r.plan?.changes.filter((x) => x.action !== 'none').map((x) => x.action + ' ' + x.address).join()]), e?.settled, v); if (process.env['TOLD']) console.log(e?.runs.map((r) => r.told.join('\n')).join('\n----\n'));}
      if (v.length > 0) { bad++; out(nameOf(c) + '   ' + e?.hit.map((h) => h.method + ' ' + h.path.replace(/_\w{20,}/g, '_')).join() + '\n   ' + v.map((x) => `${x.oracle} ${x.what.slice(0, 600)}`).join('\n   ')); }
      const ms = performance.now() - t1; if (ms > 1500) out(`SLOW ${nameOf(c)} ${Math.round(ms)}`);
    }
    out(`# ${JSON.stringify(server)} all ${all.length} cases ${cases.length} bad ${bad} settled ${unk} ${Math.round((performance.now() - t) / cases.length)} ms each`);
  }
}, 3_000_000);
