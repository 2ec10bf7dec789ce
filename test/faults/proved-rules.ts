import type { Stored } from '../../src/emulator/family.ts';
import type { AccessRules } from '../../src/model/exposure/access-rules.ts';
import { applies, gatewayBreaks, type Asked } from '../plan/access-policy/rule-oracle.ts';
import type { Evidence } from './trial.ts';

/** The access policy of the reference stacks: all but the last rule hold before and after each leg. */
export const accessRules: AccessRules = {
  source: 'repository',
  rules: [
    { name: 'staff', urls: ['shop.example.com/intranet*'], require: ['authentication'], exceptMethods: [] },
    { name: 'hooks', urls: ['shop.example.com/hooks*'], require: ['signature'], exceptMethods: [] },
    {
      name: 'office',
      urls: ['shop.example.com/next*', 'shop.example.com/now*'],
      require: ['network'],
      exceptMethods: ['OPTIONS'],
    },
    { name: 'partners', urls: ['partners.example.com/*'], require: ['client_certificate'], exceptMethods: [] },
    { name: 'all', urls: ['*/*'], require: ['authentication'], exceptMethods: [] },
  ],
  exceptions: [],
  strict: false,
};

// Requests that tell the routes of the reference stacks apart.
const hosts = ['shop', 'www', 'partners', 'east', 'west', 'api'].map((name) => `${name}.example.com`);
const paths = ['/', '/intranet', '/intranet/x', '/hooks', '/hooks/x', '/next', '/now/x', '/new', '/wiki', '/v1', '/v2'];
const asked: readonly Asked[] = hosts.flatMap((host) =>
  paths.flatMap((path) => ['GET', 'OPTIONS'].map((method) => ({ method, host, path, hostport: `${host}:443` }))),
);

/** What a plan calls proved holds in the account after each write that was carried out, wherever the apply stops. */
export function* provedRulesHold({ runs, witness }: Evidence): Iterable<string> {
  const plan = runs.find((run) => run.plan !== undefined)?.plan;
  const proved = new Set(
    plan?.rules?.flatMap(({ rule, verdict, now }) => (verdict === 'holds' && now === 'holds' ? [rule] : [])),
  );
  for (const reading of witness.readings)
    for (const { rule, request } of brokenIn(reading))
      if (proved.has(rule)) {
        yield `access rule ${rule} was called proved, and ${request} breaks it`;
        return;
      }
}

interface Broken {
  readonly rule: string;
  readonly request: string;
}

// Most cases go through the same states of the account.
const known = new Map<string, readonly Broken[]>();
const mostKnown = 5_000;

function brokenIn(reading: readonly Stored[]): readonly Broken[] {
  const key = JSON.stringify(reading.map(({ kind, id, parent, spec }) => [kind, id, parent, spec]));
  const found = known.get(key);
  if (found !== undefined) return found;
  const breaks = gatewayBreaks(reading);
  const broken = accessRules.rules.flatMap((rule): Broken[] => {
    const request = asked.find((one) => applies(rule, one) && breaks(one, rule));
    return request === undefined
      ? []
      : [{ rule: rule.name, request: `${request.method} https://${request.host}${request.path}` }];
  });
  if (known.size >= mostKnown) known.clear();
  known.set(key, broken);
  return broken;
}
