import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/api/clock.ts';
import { clientOf } from '../support/client-of.ts';
import { createRetry } from '../../src/api/retry.ts';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { refresh } from '../../src/refresh/refresh.ts';
import { serviceSource } from '../../src/refresh/service-source.ts';
import { kinds } from '../../src/kinds/index.ts';
import { harness } from '../support/harness.ts';

type Method = 'GET' | 'PUT' | 'DELETE' | 'PATCH' | 'POST';

/** The faults that stand for a row of the table in docs/operations.md. */
const faultsOf: Readonly<Record<string, readonly string[]>> = {
  'no connection': ['refused=0'],
  '429': ['rate-limited=0'],
  '408': ['status-before=408', 'status-after=408'],
  '502, 503, 504': ['status-before=502', 'status-after=503', 'status-before=504'],
  'cut off, too late': ['reset-before', 'reset-after', 'stall-after'],
  '2xx that does not show the result': ['html', 'status-after=202'],
  'others of 500 and above, but 501': ['status-before=500', 'status-before=520', 'status-before=999'],
  '501, 3xx but 307 and 308, 4xx that are not defined': [
    ...['status-before=501', 'status-before=302', 'status-after=303', 'status-before=460', 'status-after=499'],
  ],
  '409': ['status-before=409'],
  '404': ['other-deletes'],
  '401, 403': ['status-before=401', 'status-before=403'],
  'other 4xx, 307, 308': [
    'status-before=400',
    'status-before=402',
    'status-before=413',
    'status-before=451',
    'status-before=308',
  ],
};

const methods: readonly Method[] = ['GET', 'PUT', 'DELETE', 'PATCH', 'POST'];

/** The table as it stands in the documents: what to expect, by row and method. */
function documented(): { failure: string; method: Method; expected: string }[] {
  const text = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const section = text.slice(text.indexOf('## Retries'), text.indexOf('- **retry**'));
  const rows = section
    .split('\n')
    .flatMap((line) => (/^\| [^|-]/.test(line) ? [line.split('|').map((cell) => cell.trim())] : []));
  const [head = [], ...body] = rows;
  return body.flatMap((cells) =>
    methods.map((method) => {
      const column = head.findIndex((name) => name.split(', ').includes(method));
      const cell = cells[column] ?? '';
      const own = cell.split('; ').find((part) => part.startsWith(`${method}: `));
      return { failure: cells[1] ?? '', method, expected: own?.slice(method.length + 2) ?? cell };
    }),
  );
}

// A deletion has no body to spoil, and it alone may be accepted only; nothing is gone before it is made; of what is read, only lists are tried here.
const isTried = (method: Method, fault: string): boolean =>
  fault !== (method === 'DELETE' ? 'html' : 'status-after=202') &&
  !(fault === 'other-deletes' && (method === 'GET' || method === 'POST'));

const cases = documented().flatMap(({ failure, method, expected }) =>
  (faultsOf[failure] ?? []).filter((fault) => isTried(method, fault)).map((fault) => ({ method, expected, fault })),
);

const impatient: Clock = { now: () => 0, sleep: () => Promise.resolve(), random: () => 0.5 };

describe('what is sent again is what the documents say', () => {
  test('of every failure that stands there, and every one that is tried here', () => {
    expect(new Set(documented().map(({ failure }) => failure))).toEqual(new Set(Object.keys(faultsOf)));
  });

  test.each(cases)('a $method that meets $fault: $expected', async ({ method, expected, fault }) => {
    const { seen, ending } = await afterFault(method, fault);
    expect(reported(method, fault, seen, ending)).toBe(expected);
  });
});

/** A word of the table for what was sent and how it ended. */
function reported(method: Method, fault: string, seen: readonly string[], ending: string): string {
  const [first, ...rest] = seen;
  expect(first).toBe(method);
  if (ending !== 'done') return ending;
  const isAgain = rest.includes(method);
  // What is read after the last repeat does not belong to it: an apply lists what it created once more at its end.
  const hasLooked = method !== 'GET' && rest.slice(0, isAgain ? rest.lastIndexOf(method) : undefined).includes('GET');
  if (method !== 'POST') return isAgain ? (hasLooked ? 'read, retry' : 'retry') : hasLooked ? 'read' : 'done';
  // What was carried out is found, and nothing is made twice.
  expect(isAgain).toBe(!/-after|html/.test(fault));
  return hasLooked ? 'look up, retry' : 'retry';
}

const before = `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: devices}
lifecycle: {protect: false}
spec: {region: eu}
---
apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes: [{name: all, match_type: path_prefix, match: /, backend: {backend_id: bkd_1}, ip_restriction: {ip_policy_ids: [ipp_1]}}]
`;

// What makes exactly one request of the method, first of all.
const wanted: Readonly<Record<Method, string>> = {
  GET: before,
  PUT: before.replace('ipp_1', 'ipp_2'),
  DELETE: before.slice(before.indexOf('---') + 4),
  PATCH: before.replace('region: eu', 'region: eu, description: Sensors'),
  POST: `${before}---\n${before.slice(0, before.indexOf('---')).replace('devices', 'more')}`,
};

/** What is sent from a request that goes wrong on, by method, and how its change ends. */
async function afterFault(method: Method, fault: string): Promise<{ seen: string[]; ending: string }> {
  const walk = harness({ profile: method === 'PUT' ? 'documented' : 'completed' });
  await walk.converge({ 'stack.yaml': before });
  const { plan, desired } = await walk.plan({ 'stack.yaml': wanted[method] });
  const seen: string[] = [];
  const dispatcher = walk.emulator.dispatcher().compose((dispatch) => (options, handler) => {
    seen.push(options.method);
    return dispatch(options, handler);
  });
  // Only of what never comes it is worth giving up soon: a busy machine may be slow.
  const deadlineMs = /^(stall|headers-only|drip)/.test(fault) ? 1000 : 60_000;
  const client = clientOf(dispatcher, { deadlineMs, repeat: createRetry({ clock: impatient }) });
  walk.emulator.intercept(faulty(parseFault(`${fault}@${method}:*:1`)));
  if (method !== 'GET') {
    const { changes } = await walk.apply(plan, { client });
    const [change] = changes;
    return { seen, ending: wordOf(change?.code) ?? change?.ending ?? 'none' };
  }
  const who = { name: 'prod', id: '7f3a9c21', profile: 'completed', marker: true } as const;
  const addresses = desired.resources.map(({ address }) => address);
  const looking = refresh({
    source: serviceSource(client, kinds),
    kinds,
    stack: who,
    state: walk.state(),
    wanted: new Set(['ReservedAddr']),
    addresses,
  });
  const ending = looking.then(
    () => 'done',
    (error: unknown) => wordOf((error as { readonly code?: string }).code) ?? 'failed',
  );
  return { seen, ending: await ending };
}

function wordOf(code: string | undefined): string | undefined {
  return code === 'ACCESS_DENIED' ? 'ends the run' : code === 'NOT_FOUND' ? 'gone' : undefined;
}
