import type { Written, WrittenObject } from '../generators/item.ts';
import { attackersUrl, operatorsUrl } from '../support/hostile-network.ts';
import type { Dice } from './dice.ts';
import type { Loot } from './loot.ts';
import type { Boldness } from './poison.ts';

/** What a pull request makes of `sluice.yaml`, in the environment of a pipeline. */
export interface StackSettings {
  readonly file: WrittenObject;
  readonly env: Readonly<Record<string, string>>;
  /** Whether the operator has allowed all of it; if not, no request may be sent. */
  readonly isAllowed: boolean;
}

/** Which resources there are, for patches. */
export type NamesByKind = Readonly<Record<string, readonly string[]>>;

const watch: WrittenObject = {
  interval: '60s',
  debounce: '1s',
  scan_interval: '1s',
  heal_drift: true,
  notify: [
    { url: { from_env: 'SLUICE_HOOK_URL' }, secret: { from_env: 'SLUICE_HOOK_SECRET' } },
    { url: { from_env: 'SLUICE_HOOK_URL' }, format: 'slack' },
  ],
};
const base: WrittenObject = {
  version: 1,
  stack: { name: 'company', id: '5c1e7a90' },
  manifests: ['manifests'],
  watch,
};
const trusted = { SLUICE_BASE_URL: operatorsUrl };

/** A stack file of the operator, or one that tries something. */
export function settingsOf(
  loot: Loot,
  dice: Dice,
  { names, isShared }: { readonly names: NamesByKind; readonly isShared: boolean },
  boldness: Boldness,
): StackSettings {
  const plain = { ...api({}), ...stateIn(isShared), ...access(dice) };
  if (boldness !== 'refusable' || dice.odds(0.3))
    return { file: { ...plain, ...patches(loot, dice, names, boldness) }, env: trusted, isAllowed: true };
  const refused = (reported: WrittenObject, env: StackSettings['env'] = trusted): StackSettings => ({
    file: { ...plain, ...reported },
    env,
    isAllowed: false,
  });
  return dice.one<() => StackSettings>([
    () => refused(api({ base_url: attackersUrl })),
    () => refused(api({ base_url: attackersUrl }), {}),
    () => refused(api({}), {}),
    () => refused(api({ base_url: `${operatorsUrl}.attacker.example` })),
    () => refused(api({ base_url: `${operatorsUrl}@attacker.example` })),
    () => refused(api({ base_url: loot.source('text') })),
    () => refused(api({ proxy: 'http://proxy.attacker.example:3128' })),
    () => refused(api({ proxy: `http://user:${loot.literal()}@proxy.attacker.example:3128` })),
    () => refused(api({ ca_file: dice.one(['ca.pem', '../far/ca.pem', 'link/ca.pem']) })),
    () =>
      refused(
        api({
          key: dice.one<Written>([{ from_env: 'COPY_OF_KEY' }, { from_file: 'outside/key' }, '/proc/self/environ']),
        }),
      ),
    () => refused(api({ key: loot.literal() })),
    // A watch may say by webhook that there is no key.
    () => ({
      ...refused(api({ key: { from_env: dice.one(['SLUICE_STATE_URL', 'SLUICE_HOOK_URL', 'SLUICE_NONE']) } })),
      env: { ...trusted, SLUICE_API_KEY: '' },
      isAllowed: true,
    }),
    () => refused({ watch: { ...watch, notify: [{ url: `https://hooks.attacker.example/${loot.literal()}` }] } }),
    () =>
      refused({
        watch: { ...watch, notify: [{ url: { from_env: 'SLUICE_STATE_URL' } }] },
        ...api({ proxy: attackersUrl }),
      }),
    () => refused({ secrets: { dirs: [dice.one(['../far', 'link', '/', '..', '/proc/self'])] } }),
    () =>
      refused({ secrets: { env_files: [dice.one(['../far/env', 'link/env', '/proc/self/environ', '.git/config'])] } }),
    () => refused({ watch: { ...watch, notify: [{ url: loot.source('https://x') }] } }),
    () => refused({ watch: { ...watch, notify: [{ url: { from_env: 'CONNECTION' } }] } }),
    () => refused({ [dice.one(['tokn', 'password'])]: loot.literal() }),
    () => refused(postgres({ url: { from_env: dice.one(['DATABASE_URL', 'SLUICE_VAR_0', 'PGPASSWORD']) } })),
    () => refused(postgres({ url: { from_env: dice.one(['SLUICE_API_KEY', 'SLUICE_HOOK_URL', 'SLUICE_NONE']) } })),
    () => refused(postgres({ url: `postgresql://ci:${loot.literal()}@db.attacker.example/ci` })),
    () => refused(postgres({ url: { from_file: 'outside/key' } })),
    () => refused(postgres({ url: operatorsDatabase, schema: `x"; DROP SCHEMA sluice; --` })),
    () => refused({ ...postgres({ url: operatorsDatabase }), ...api({ base_url: attackersUrl }) }),
    // A watch may say by webhook that this is no state.
    () => ({
      ...refused({
        state: { path: dice.one(['../far/file', '.git/config', 'link/file', '../far/env', '/proc/self/environ']) },
      }),
      isAllowed: true,
    }),
    () => refused({ access: { public: [loot.source('text')] } }),
  ])();

  function api(reported: WrittenObject): WrittenObject {
    return { ...base, api: { base_url: operatorsUrl, ...reported } };
  }
}

const operatorsDatabase: WrittenObject = { from_env: 'SLUICE_STATE_URL' };

function postgres(reported: WrittenObject): WrittenObject {
  return { state: { postgres: reported } };
}

/** Where the operator keeps the state. */
function stateIn(isShared: boolean): WrittenObject {
  return isShared ? postgres({ url: operatorsDatabase }) : {};
}

/** What is reported to be public, and what is blocked. */
function access(dice: Dice): WrittenObject {
  return dice.one<() => WrittenObject>([
    () => ({}),
    () => ({}),
    () => ({ access: { public: [] } }),
    () => ({ access: { public: dice.some(['*', '*.example.com/*', 'shop.example.com', '*:8443/api/*'], 2) } }),
    () => ({
      policy: { block: ['OPENS_ACCESS', 'EXPOSES_PUBLICLY'], max_deletes: dice.one<Written>([0, '100%']) },
    }),
  ])();
}

/** Settings that the operator need not allow, because they lead nowhere else. */
function patches(loot: Loot, dice: Dice, names: NamesByKind, boldness: Boldness): WrittenObject {
  const bold = boldness === 'refusable';
  const patch = (kind: string, path: string): WrittenObject => {
    const [among, value] = [
      names[kind] ?? [],
      bold && dice.odds(0.5) ? loot.forbidden() : loot.source('text', 'sluice.yaml'),
    ];
    if (among.length === 0) return {};
    return { patches: [{ target: { kind, name: dice.one(among) }, patch: [{ op: 'add', path, value }] }] };
  };
  const kinds = ['HTTPSEdge', 'ReservedAddr', 'CertificateAuthority', 'AgentIngress'];
  return dice.one<() => WrittenObject>([
    () => ({}),
    () => ({}),
    () => ({ secrets: { env_files: ['inside.env'], dirs: ['.'] } }),
    () => ({ env_prefixes: ['OUTSIDE_'] }),
    () => patch(dice.one(kinds), '/spec/description'),
    () => patch(dice.one(kinds), bold ? '/metadata/name' : '/spec/metadata'),
  ])();
}
