/*
 * Proof and gateway agree: on random front doors under random rules, no request tried breaks a rule that holds, and the
 * request shown for a broken rule breaks it. The gateway of the emulator decides what becomes of a request; it shares
 * neither routing nor the reading of modules with the model.
 *
 * PROOFS=2000 runs that many accounts; SEED sets the first one.
 */
import { expect, test } from 'vitest';
import { decideRequest } from '../../../src/emulator/gateway/decide-request.ts';
import { frontDoorOf } from '../../../src/emulator/gateway/front-door.ts';
import { gatewaySettings } from '../../../src/emulator/gateway/gateway-options.ts';
import { signatureOf } from '../../../src/emulator/gateway/modules/signature-check.ts';
import type { Stored } from '../../../src/emulator/family.ts';
import { kinds } from '../../../src/kinds/index.ts';
import type { SpecObject } from '../../../src/kinds/value.ts';
import type { AccessRule, Requirement } from '../../../src/model/access-rules.ts';
import { rulesOfManifests } from '../../../src/plan/access-policy/manifest-rules.ts';
import { drawFrom, type Draw } from '../exposure/walks.ts';
import { idOf, inputOf, type Specs } from '../support.ts';

const hosts = ['a.example.com', 'b.example.com', 'c.example.com', 'x.eu.example.com'];
const places = [
  ['a.example.com:443'],
  ['b.example.com:443'],
  ['*.example.com:443'],
  ['*.eu.example.com:443', 'c.example.com:443'],
];
const matches = ['/', '/x', '/x/y', '/xy', 'a.example.com/x', '*.example.com/x', 'b.example.com'];
const paths = ['/', '/x', '/x/', '/x/y', '/x/y/z', '/xy', '/xyz', '/z', '/x0'];
const methods = ['GET', 'POST', 'OPTIONS'];

const named = { provider: { google: { email_domains: ['example.com'] } } };
const modules: Readonly<Record<Requirement, readonly SpecObject[]>> = {
  authentication: [{ oauth: { provider: { google: {} } } }, { oauth: { ...named, options_passthrough: true } }],
  named_users: [{ oauth: named }],
  client_certificate: [],
  signature: [{ webhook_verification: { provider: 'github' } }],
  network: [{ ip_restriction: { ip_policy_ids: ['ipp_office'] } }, { ip_restriction: { ip_policy_ids: [] } }],
};

function accountOf(draw: Draw): Specs {
  const specs: Record<string, SpecObject> = { 'CertificateAuthority/ca': { ca_pem: 'ca' } };
  for (const [index, hostports] of places.entries()) {
    if (draw.chance(0.4)) continue;
    const mutual = {
      mutual_tls: { certificate_authority_ids: draw.chance(0.8) ? [idOf('CertificateAuthority/ca')] : [] },
    };
    specs[`HTTPSEdge/e${String(index)}`] = { hostports, ...(draw.chance(0.2) ? mutual : {}) };
    for (const match of matches) {
      if (draw.chance(0.5)) continue;
      const guards = Object.values(modules).flatMap((some) =>
        some.length > 0 && draw.chance(0.35) ? [draw.one(some)] : [],
      );
      const [name, module] = Object.entries(guards.at(-1) ?? {})[0] ?? [];
      const disabled =
        name !== undefined && draw.chance(0.1) ? { [name]: { ...(module as SpecObject), enabled: false } } : {};
      specs[`HTTPSEdgeRoute/e${String(index)}:${match}`] = {
        match_type: match.includes('/') && draw.chance(0.25) ? 'exact_path' : 'path_prefix',
        ...(draw.chance(0.9) ? { backend: { backend_id: 'bkd_app' } } : {}),
        ...Object.fromEntries(guards.flatMap((one) => Object.entries(one))),
        ...disabled,
      };
    }
  }
  return specs;
}

function ruleOf(draw: Draw): AccessRule {
  const url = `${draw.one(['*', '*.example.com', ...hosts])}${draw.one(['', ...paths, '/x*', '/x/*', '/*'])}`;
  return {
    name: 'rule',
    urls: [url],
    require: draw.chance(0.8) ? [draw.one(requirable)] : ['authentication', 'network'],
    exceptMethods: draw.chance(0.3) ? ['OPTIONS'] : [],
  };
}

const requirable: readonly Requirement[] = [
  'authentication',
  'named_users',
  'client_certificate',
  'signature',
  'network',
];

const signature = signatureOf('', 'github');

interface Asked {
  readonly method: string;
  readonly hostport: string;
  readonly host: string;
  readonly path: string;
}

/** Everything that satisfies all but some requirements: who sends this and is let in breaks a rule that has them. */
function sender(missing: Requirement): object {
  const anyone = { provider: undefined, email: 'eve@elsewhere.org', memberOf: [], age: 0, idle: 0 };
  return {
    headers: missing === 'signature' ? {} : { 'gateway-signature': signature },
    address: missing === 'network' ? '198.51.100.9' : '192.0.2.1',
    ...(missing === 'client_certificate' ? {} : { certificate: { issuedBy: idOf('CertificateAuthority/ca') } }),
    signIns:
      missing === 'authentication'
        ? []
        : [missing === 'named_users' ? anyone : { ...anyone, email: 'ana@example.com' }],
  };
}

/** Whether the gateway lets somebody through who does not satisfy a requirement. */
function breaks(specs: Specs, asked: Asked, { require }: AccessRule): boolean {
  const stored = [...inputOf({ ours: specs }).account.ours.values()].map(({ kind, id, parent, spec }, seq) => ({
    kind,
    id,
    seq,
    spec,
    ...(parent === undefined ? {} : { parent }),
  })) as unknown as Stored[];
  const settings = gatewaySettings({ permitted: { ipp_office: ['192.0.2.0/24'] } });
  const door = frontDoorOf(stored);
  return require.some((missing) => {
    const request = { ...asked, body: Buffer.alloc(0), tlsVersion: '1.3', ...sender(missing) };
    const { end } = decideRequest(request as never, { door, settings, now: new Date(0), isTripped: () => false });
    return end === 'backend' || end === 'policy';
  });
}

function applies({ urls, exceptMethods }: AccessRule, { host, path, method }: Asked): boolean {
  if (exceptMethods.includes(method)) return false;
  return urls.some((url) => {
    const slash = url.indexOf('/');
    const [name, rest] = slash === -1 ? [url, '/*'] : [url.slice(0, slash), url.slice(slash)];
    const hasHost = name === '*' || name === host || (name.startsWith('*.') && host.endsWith(name.slice(1)));
    return hasHost && (rest.endsWith('*') ? path.startsWith(rest.slice(0, -1)) : path === rest);
  });
}

function parsed(request: string): Asked {
  const [, method = '', host = '', path = '', , at] =
    /^([A-Z]+) https:\/\/([^/]+)(\/\S*)( at (\S+))?$/.exec(request) ?? [];
  return { method, host, path, hostport: at ?? `${host}:443` };
}

test('no request breaks a rule that holds, and the request shown breaks one that is broken', () => {
  const accounts = Number(process.env['PROOFS'] ?? 60);
  const first = Number(process.env['SEED'] ?? 1);
  const misses: string[] = [];
  const counts = { holds: 0, broken: 0, 'not proven': 0 };
  for (let seed = first; seed < first + accounts; seed++) {
    const draw = drawFrom(seed);
    const specs = accountOf(draw);
    const rule = ruleOf(draw);
    const [verdict] = rulesOfManifests(inputOf({ wanted: specs }).desired, {
      access: [{ source: 'repository', rules: [rule], exceptions: [], strict: false }],
      kinds,
      now: 0,
    });
    if (verdict === undefined) throw new Error('a rule without a verdict');
    counts[verdict.verdict] += 1;
    for (const { request = '', address } of verdict.findings)
      if (!breaks(specs, parsed(request), rule)) misses.push(`${String(seed)}: ${request} at ${address} is refused`);
    if (verdict.verdict !== 'holds') continue;
    for (const host of [...hosts, 'some.eu.example.com', 'www.example.com'])
      for (const path of paths)
        for (const method of methods) {
          const asked = { method, host, path, hostport: `${host}:443` };
          if (applies(rule, asked) && breaks(specs, asked, rule))
            misses.push(`${String(seed)}: ${method} ${host}${path} passes`);
        }
  }
  expect(misses.slice(0, 10)).toEqual([]);
  expect(Math.min(counts.holds, counts.broken)).toBeGreaterThan(accounts / 10);
});
