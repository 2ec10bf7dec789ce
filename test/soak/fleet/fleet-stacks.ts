import { stringify } from 'yaml';
import { maxDeletes, wantedIn, type Revision } from '../company.ts';
import { addr, edge, manifestOf, route, subscription } from '../items.ts';

/** The stacks of the fleet, by name. */
export const fleetStacks = Array.from({ length: 20 }, (_, n) => `s${String(n).padStart(2, '0')}`);

/** The first revision of a stack of the fleet. */
export function beginningOf(name: string): Revision {
  const items = [
    edge('site', `${name}.example.com:443`),
    ...['/', '/orders'].map((match, at) => route('site', `way-${at}`, match)),
    ...['brokers', 'sensors', 'printers', 'doors', 'tills'].map(addr),
    subscription('audit'),
  ];
  return { n: 0, items, absent: new Set() };
}

/** All manifests of a revision as one file, which is replaced as a whole. */
export function manifestsOf(revision: Revision): string {
  return wantedIn(revision)
    .map((item) => manifestOf(item, ''))
    .join('---\n');
}

/** The store of all states; a lease is so short that a process can be stopped for longer. */
export const sharedStore = {
  postgres: { url: { from_env: 'SLUICE_STATE_URL' } },
  lease: { duration: '16s', heartbeat: '2s', store_deadline: '2s', write_deadline: '6s', margin: '2s' },
};

/** The stack file; each stack has a key of its own, so that the service sees which stack sends a request. */
export function fleetStackFile(name: string): string {
  return stringify({
    version: 1,
    stack: { name, id: `0ff1ce${name.slice(1)}` },
    manifests: ['manifests'],
    api: { vendor: 'example', key: { from_env: keyVariable(name) } },
    policy: { max_deletes: maxDeletes },
    state: sharedStore,
    watch: {
      heal_drift: true,
      prune: true,
      interval: '5s',
      debounce: '1s',
      scan_interval: '2s',
      max_retry_delay: '20s',
    },
  });
}

/** The keys of all stacks in the environment of one process. */
export function keysOf(process: string): Readonly<Record<string, string>> {
  return Object.fromEntries(fleetStacks.map((name) => [keyVariable(name), keyOf(name, process)]));
}

/** The key that a process uses for a stack. */
export function keyOf(name: string, process: string): string {
  return `${name}-${process}`;
}

function keyVariable(name: string): string {
  return `SLUICE_KEY_OF_${name.toUpperCase()}`;
}
