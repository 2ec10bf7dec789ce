// Reconciles the account with a directory until Ctrl-C, and prints each change of the status: node watch.mjs DIRECTORY
import { watchStack } from 'sluice';

const [dir = '.'] = process.argv.slice(2);
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopped.abort());

let last = '';
await watchStack({
  dir,
  env: process.env,
  signal: stopped.signal,
  listen: false,
  onLog: (level, event, message) => {
    if (level !== 'debug') console.error(level, event, message);
  },
  onStatus: ({ conditions, pending }) => {
    const ready = conditions.find(({ type }) => type === 'Ready');
    const line = `${ready?.reason ?? 'Unknown'}, ${pending.length} pending`;
    if (line !== last) console.log(line);
    last = line;
  },
});
