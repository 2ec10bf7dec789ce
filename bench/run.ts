// npm run bench [THEME...]: measures what docs/performance.md sets out to reach, on dist as it was last built.
import { lineText, type Line } from './line.ts';
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
  watch: watchSource,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in themes));
if (unknown.length > 0) throw new Error(`no theme ${unknown.join(', ')}; there are ${Object.keys(themes).join(', ')}`);
for (const [name, measure] of Object.entries(themes)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n${name}`);
  for (const line of await measure()) console.log(`  ${lineText(line)}`);
}
