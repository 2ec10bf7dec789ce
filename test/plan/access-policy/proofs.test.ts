/*
 * Proof and gateway agree: on random front doors under random rules, no request tried breaks a rule that holds, and the
 * request shown for a broken rule breaks it.
 *
 * `npm run test:proofs` tries 1,000,000 requests: PROOFS accounts, PROOF_REQUESTS for each; SEED sets the first account.
 */
import { expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import type { SpecObject } from '../../../src/kinds/value.ts';
import type { AccessRule, Requirement } from '../../../src/model/exposure/access-rules.ts';
import { rulesOfManifests } from '../../../src/plan/access-policy/manifest-rules.ts';
import { drawFrom, type Draw } from '../exposure/walks.ts';
import { idOf, inputOf, type Specs } from '../support.ts';
import { applies, gatewayBreaks, type Asked } from './rule-oracle.ts';

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
      const controls = Object.values(modules).flatMap((some) =>
        some.length > 0 && draw.chance(0.35) ? [draw.one(some)] : [],
      );
      const [name, module] = Object.entries(controls.at(-1) ?? {})[0] ?? [];
      const disabled =
        name !== undefined && draw.chance(0.1) ? { [name]: { ...(module as SpecObject), enabled: false } } : {};
      specs[`HTTPSEdgeRoute/e${String(index)}:${match}`] = {
        match,
        match_type: match.includes('/') && draw.chance(0.25) ? 'exact_path' : 'path_prefix',
        ...(draw.chance(0.9) ? { backend: { backend_id: 'bkd_app' } } : {}),
        ...Object.fromEntries(controls.flatMap((one) => Object.entries(one))),
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

function parsed(request: string): Asked {
  const [, method = '', host = '', path = '', , at] =
    /^([A-Z]+) https:\/\/([^/]+)(\/\S*)( at (\S+))?$/.exec(request) ?? [];
  return { method, host, path, hostport: at ?? `${host}:443` };
}

/** A request to a front door, most of them at what its routes and rules distinguish. */
function requestOf(draw: Draw): Asked {
  const host = draw.one([...hosts, 'some.eu.example.com', 'www.example.com', 'a.b.eu.example.com']);
  const path = `${draw.one(paths)}${draw.chance(0.5) ? '' : draw.one(['', '/', 'y', '/y', '/y/', '//', '/../x'])}`;
  return { method: draw.one([...methods, 'HEAD', 'PUT', 'DELETE']), host, path, hostport: `${host}:443` };
}

test('no request breaks a rule that holds, and the request shown breaks one that is broken', () => {
  const accounts = Number(process.env['PROOFS'] ?? 60);
  const requests = Number(process.env['PROOF_REQUESTS'] ?? 150);
  const first = Number(process.env['SEED'] ?? 1);
  const misses: string[] = [];
  const counts = { holds: 0, broken: 0, unproven: 0 };
  let tried = 0;
  for (let seed = first; seed < first + accounts; seed++) {
    const draw = drawFrom(seed);
    const specs = accountOf(draw);
    const breaks = gatewayBreaks([...inputOf({ ours: specs }).account.ours.values()] as never);
    const rules = Array.from({ length: 4 }, (_, n) => ({ ...ruleOf(draw), name: `rule-${String(n)}` }));
    const verdicts = rulesOfManifests(inputOf({ wanted: specs }).desired, {
      access: [{ source: 'repository', rules, exceptions: [], strict: false }],
      kinds,
      now: 0,
    });
    const held: AccessRule[] = [];
    for (const [index, { verdict, findings }] of verdicts.entries()) {
      const rule = rules[index];
      if (rule === undefined) throw new Error('a verdict without a rule');
      counts[verdict] += 1;
      if (verdict === 'holds') held.push(rule);
      for (const { request = '', address } of findings)
        if (!breaks(parsed(request), rule)) misses.push(`${String(seed)}: ${request} at ${address} is refused`);
    }
    for (let left = held.length === 0 ? 0 : requests; left > 0; left--) {
      const asked = requestOf(draw);
      tried += 1;
      for (const rule of held)
        if (applies(rule, asked) && breaks(asked, rule))
          misses.push(`${String(seed)}: ${asked.method} ${asked.host}${asked.path} passes ${rule.name}`);
    }
  }
  if (process.env['PROOFS'] !== undefined) console.log({ accounts, tried, ...counts, misses: misses.length });
  expect(misses.slice(0, 10)).toEqual([]);
  expect(Math.min(counts.holds, counts.broken)).toBeGreaterThan(accounts / 10);
});
