import { gatewayChoices, gatewaySettings, type GatewaySettings } from '../../src/emulator/gateway/gateway-options.ts';
import type { GatewayRequest } from '../../src/emulator/gateway/gateway-request.ts';
import { signatureOf } from '../../src/emulator/gateway/modules/signature-check.ts';
import type { Draw } from '../plan/exposure/walks.ts';
import { groupsOfAna, permitted, webhookSecret } from './random-accounts.ts';

/** What a request can show, each right, wrong or not at all. */
export const proofs = ['authentication', 'client-certificate', 'signature', 'network'] as const;
export type Proof = (typeof proofs)[number];

const hosts = [
  'shop.example.com',
  'shop.example.com',
  'api.example.com',
  'www.example.com',
  'a.eu.example.com',
  'b.eu.example.com',
  'x.b.eu.example.com',
  'example.com',
  'Shop.Example.com',
];
const paths = [
  '/',
  '/a',
  '/ab',
  '/a/',
  '/a/b',
  '/a/bc',
  '/a/b/c',
  '/abc',
  '/A',
  '/%61',
  '/a//b',
  '/a/../b',
  '/a?x=1',
  '/x',
  '/../a',
  '/a/.',
];

const body = Buffer.from('{"ref": "main"}');
const outside = '192.0.2.1';

/** A request of somebody who shows nothing, mostly to one of some hostports. */
export function anonymousRequest(draw: Draw, hostports: readonly string[] = []): GatewayRequest {
  const known = hostports.length > 0 && draw.chance(0.85) ? draw.one(hostports) : undefined;
  const [own = '', port = '443'] = (known?.replace('*', draw.one(['www', 'shop', 'x.b'])) ?? draw.one(hosts)).split(
    ':',
  );
  const host = draw.chance(0.9) ? own : draw.one(hosts);
  const at = own;
  return {
    hostport: `${at}:${port}`,
    host,
    method: draw.one(['GET', 'POST', 'HEAD', 'OPTIONS', 'OPTIONS']),
    path: draw.one(paths),
    headers: { 'user-agent': draw.one(['curl/8', 'curl/8', 'curl/8', 'bad/1']) },
    body,
    address: outside,
    tlsVersion: draw.one(['1.3', '1.3', '1.2']),
    signIns: [],
  };
}

/** The same, with some right proofs; what is not right is wrong, or not there. */
export function showing(request: GatewayRequest, right: ReadonlySet<Proof>, draw: Draw): GatewayRequest {
  const signIn = { email: 'ana@example.com', memberOf: groupsOfAna, age: 0, idle: 0 };
  const wrong = (): boolean => draw.chance(0.5);
  const isRight = (proof: Proof): boolean => right.has(proof);
  return {
    ...request,
    address: isRight('network') ? '203.0.113.9' : outside,
    headers: {
      ...request.headers,
      ...(isRight('signature') ? signedWith(webhookSecret) : wrong() ? signedWith('another') : {}),
    },
    ...(isRight('client-certificate')
      ? { certificate: { issuedBy: 'ca_a' } }
      : wrong()
        ? { certificate: { issuedBy: 'ca_c' } }
        : {}),
    signIns: isRight('authentication')
      ? [{ ...signIn, provider: undefined }]
      : wrong()
        ? [{ ...signIn, provider: 'elsewhere' }]
        : [],
  };
}

function signedWith(secret: string): Record<string, string> {
  const signature = signatureOf(body, secret);
  return { 'gateway-signature': signature, 'x-hub-signature-256': signature, 'x-gitlab-token': secret };
}

/** Every combination of the options, one after the other: the number selects one. */
export function settingsAt(index: number): GatewaySettings {
  let rest = index;
  const chosen = Object.entries(gatewayChoices).map(([name, { choices }]) => {
    const choice = choices[rest % choices.length];
    rest = Math.floor(rest / choices.length);
    return [name, choice];
  });
  return gatewaySettings({ ...(Object.fromEntries(chosen) as object), permitted });
}

/** How many combinations there are. */
export const combinations = Object.values(gatewayChoices).reduce((all, { choices }) => all * choices.length, 1);
