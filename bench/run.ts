// npm run bench [THEME...]: measures what docs/performance.md sets out to reach, on dist as it was last built.
// npm run bench -- --exact: only what no machine changes, as .ci/run does it. Either fails where that misses its target.
import { lineHeads, lineText, type Line } from './line.ts';
import { fleet } from './fleet.ts';
import { replicas } from './replicas.ts';
import { growth } from './growth.ts';
import { recordedFigures } from './recorded.ts';
import { exposure } from './exposure.ts';
import { policy } from './policy.ts';
import { requests } from './requests.ts';
import { scale } from './scale.ts';
import { startup } from './startup.ts';
import { time } from './time.ts';
import { writes } from './writes.ts';
import { limits } from './limits.ts';
import { rateLimit } from './rate-limit.ts';
import { routes } from './routes.ts';
import { store } from './store.ts';
import { watchApply } from './watch-apply.ts';
import { watchSource } from './watch-source.ts';

const themes: Readonly<Record<string, () => Promise<Line[]>>> = {
  requests,
  time,
  scale,
  writes,
  store,
  startup,
  quota: rateLimit,
  limits,
  routes,
  exposure,
  policy,
  growth,
  fleet,
  replicas,
  watch: async () => [...(await watchSource()), ...(await watchApply())],
};

// Those with figures that no machine changes.
const exact = ['requests', 'growth'];

const given = process.argv.slice(2);
const asked = given.includes('--exact') ? exact : given.length > 0 ? given : Object.keys(themes);
const unknown = asked.filter((name) => !(name in themes));
if (unknown.length > 0) throw new Error(`no theme ${unknown.join(', ')}; there are ${Object.keys(themes).join(', ')}`);
const recorded = recordedFigures();
let isMissed = false;
console.log(lineHeads);
for (const [name, measure] of Object.entries(themes)) {
  if (!asked.includes(name)) continue;
  console.error(`measuring ${name}`);
  // A bench that is ended early has printed what it has measured.
  for (const line of await measure()) {
    console.log(lineText(line, recorded.get(line.what.replaceAll('`', ''))));
    isMissed ||= line.isExact === true && line.figure > (line.most ?? Infinity);
  }
}
if (isMissed) process.exitCode = 1;
