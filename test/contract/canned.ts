import { expectedOf } from './replay.ts';
import type { Step } from './fixture.ts';
import { isList, type Json } from './words.ts';

/** What a step's answer looks like on the wire, with an example in place of every word. */
export interface Canned {
  readonly status: number;
  readonly body?: Json;
}

/** Makes an example of the answer a step expects. */
export function cannedAnswer(step: Step, put: (value: Json) => Json): Canned {
  const { status, body } = expectedOf(step);
  if (status === 204) return { status };
  return { status, body: example(put(body ?? usualAnswer(step.send)))! };
}

/** What a collection's resources are, for steps whose answer matters only to later steps. */
const collections: Readonly<Record<string, string>> = {
  tunnel_sessions: 'TunnelSession',
  ssh_host_certificates: 'SSHHostCertificate',
  agent_ingresses: 'AgentIngress',
  reserved_addrs: 'ReservedAddr',
  certificate_authorities: 'CertificateAuthority',
  event_subscriptions: 'EventSubscription',
  abuse_reports: 'AbuseReport',
  https: 'HTTPSEdge',
  routes: 'HTTPSEdgeRoute',
};

function usualAnswer(send: string): Json {
  const [method = '', path = ''] = send.split(/[ ?]/);
  const segments = path.split('/');
  const own = collections[segments.at(-1) ?? ''];
  if (own === undefined) {
    const parent = collections[segments.at(-2) ?? ''];
    return parent === undefined ? { enabled: true } : { is: parent };
  }
  if (method !== 'GET') return { is: own };
  return { [segments.at(-1) ?? '']: [{ is: own }, { is: own }, { is: own }], uri: '<uri>', next_page_uri: null };
}

function example(expected: Json): Json | undefined {
  if (typeof expected === 'string') return exampleOf(expected);
  if (isList(expected)) return expected.map(example).filter((entry) => entry !== undefined);
  if (expected === null || typeof expected !== 'object') return expected;
  const entries = Object.entries(expected).map(([key, value]) => [key, example(value)] as const);
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined));
}

/** An example of each word; undefined leaves the key or the entry out. */
const examples: Readonly<Record<string, (rest: string) => Json | undefined>> = {
  string: () => 'example',
  not: () => '******',
  number: () => 7,
  any: () => null,
  absent: () => undefined,
  unset: () => undefined,
  empty: () => null,
  rest: () => undefined,
  'optional string': () => undefined,
  'optional ref': () => undefined,
  'optional time': () => undefined,
  time: () => '2026-01-02T03:04:05Z',
  instant: (time) => new Date(time).toISOString(),
  'year after': (time) => time.replace(/^\d+/, (year) => String(Number(year) + 1)),
  id: (prefix) => `${prefix}_2aBcDeFgHiJkLmNoPqRsTuVwXyZ`,
  uri: (path) => `/v1${path.replaceAll('*', 'example')}`,
  hostport: () => '1.tcp.example.com:20001',
  one: (of) => of.split('|')[0],
  starts: (text) => `${text}example`,
  contains: (text) => `so ${text} on`,
};

function exampleOf(expected: string): Json | undefined {
  const [, name = '', rest = ''] = /^<([a-z ]+)(?::([^]*))?>$/.exec(expected) ?? [];
  return Object.hasOwn(examples, name) ? examples[name]!(rest) : expected;
}
