/*
 * The model that judges plans and the gateway of the emulator are written apart from each other (decisions/0046). On random
 * accounts, random requests and every combination of what the description leaves open, they must agree who is let in.
 * `GATEWAY_REQUESTS=100000` compares that many requests, `GATEWAY_SEED` begins elsewhere.
 */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { GatewayDecision } from '../../src/emulator/gateway/decide-request.ts';
import type { GatewaySettings } from '../../src/emulator/gateway/gateway-options.ts';
import type { GatewayRequest } from '../../src/emulator/gateway/gateway-request.ts';
import { drawFrom } from '../plan/exposure/walks.ts';
import { bothSides, compared, comparedClasses, decided, described, type Compared } from './agreement.ts';
import { permitted, randomAccount } from './random-accounts.ts';
import { anonymousRequest, combinations, proofs, settingsAt, showing } from './random-requests.ts';

const requests = Number(process.env['GATEWAY_REQUESTS'] ?? 2000);
const seed = Number(process.env['GATEWAY_SEED'] ?? 1);
const perAccount = 20;

test(
  `the model of plans and the gateway agree on ${requests} requests`,
  { timeout: 60_000 + requests * 20 },
  async () => {
    const draw = drawFrom(seed);
    const sorts = new Map<string, number>();
    const wrong: string[] = [];
    let combination = seed * 7919;
    for (let done = 0; done < requests && wrong.length < 5;) {
      const emulator = await randomAccount(draw);
      const sides = await bothSides(emulator);
      const hostports = sides.door.edges.flatMap((edge) => edge.hostports);
      const count = ({ sort, wrong: text, request }: Compared, settings: GatewaySettings): void => {
        if (text === undefined) sorts.set(sort, (sorts.get(sort) ?? 0) + 1);
        else wrong.push(`${text}\n${described(request, sides, settings)}`);
      };
      for (let index = 0; index < perAccount; index++, done++) {
        const settings = settingsAt(combination++ % combinations);
        const request = anonymousRequest(draw, hostports);
        const right = new Set(proofs.filter(() => draw.chance(0.7)));
        count(compared(request, new Set(), sides, settings), settings);
        count(compared(showing(request, right, draw), right, sides, settings), settings);
      }
      const settings = settingsAt(combination % combinations);
      for (const found of comparedClasses(sides, settings, anonymousRequest(drawFrom(1)), perAccount))
        count(found, settings);
    }
    expect(wrong[0] ?? '').toBe('');
    if (process.env['GATEWAY_REQUESTS'] !== undefined) console.log(Object.fromEntries([...sorts].sort()));
    // Nothing is reported by requests that reach nothing.
    for (const proof of proofs) expect(sorts.get(`refused for ${proof}`) ?? 0, proof).toBeGreaterThan(requests / 200);
    expect(sorts.get('nowhere by this edge') ?? 0).toBeGreaterThan(0);
    expect(sorts.get('passes, public') ?? 0).toBeGreaterThan(requests / 10);
    expect(sorts.get('passes with 2 proofs') ?? 0).toBeGreaterThan(requests / 200);
  },
);

test('the gateway does over HTTP what it decides', async () => {
  const draw = drawFrom(seed);
  const ends = new Set<string>();
  for (let account = 0; account < 20; account++) {
    const emulator = await randomAccount(draw);
    const settings = settingsAt(draw.below(combinations));
    const { url, close } = await emulator.gateway({ ...settings, permitted }).listen();
    onTestFinished(close);
    const sides = await bothSides(emulator);
    for (let index = 0; index < 10; index++) {
      const plain = anonymousRequest(
        draw,
        sides.door.edges.flatMap(({ hostports }) => hostports),
      );
      const request = {
        ...showing(plain, new Set(proofs.filter(() => draw.chance(0.5))), draw),
        host: plain.host.replace(/:.*$/, ''),
      };
      const decision = decided(request, sides, settings);
      ends.add(decision.end);
      expect(await statusOver(url, request), JSON.stringify(request)).toBe(statusOf(decision, request));
    }
  }
  expect([...ends]).toEqual(expect.arrayContaining(['backend', 'refused', 'sign-in', 'unreachable']));
});

function statusOf({ end, status }: GatewayDecision, { method }: GatewayRequest): number {
  return end === 'sign-in' && (method === 'GET' || method === 'HEAD') ? 302 : status;
}

async function statusOver(url: string, request: GatewayRequest): Promise<number> {
  const { hostname, port } = new URL(url);
  const { certificate, signIns, method, path } = request;
  const [signIn] = signIns;
  const headers = {
    ...request.headers,
    'content-length': String(request.body.length),
    host: request.host,
    'gateway-hostport': request.hostport,
    'gateway-address': request.address,
    'gateway-tls-version': request.tlsVersion,
    ...(certificate !== undefined && 'issuedBy' in certificate ? { 'gateway-client-cert': certificate.issuedBy } : {}),
    ...(signIn === undefined ? {} : { 'gateway-user': signIn.email, 'gateway-groups': signIn.memberOf.join(', ') }),
    ...(signIn?.provider === undefined ? {} : { 'gateway-provider': signIn.provider }),
  };
  const sent = httpRequest({ hostname, port, method, path, headers }).end(request.body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}
