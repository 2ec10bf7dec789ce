import { modes } from '../../src/emulator/faults/fault.ts';
import { seeded } from './chance.ts';
import type { Leg, Prepared, Reached } from './prepare.ts';
import { serverName, type Server } from './servers.ts';
import { cutPoints, type Cut } from './trial.ts';

/** One case of the matrix. */
export interface Case {
  readonly server: Server;
  readonly leg: Leg;
  readonly faults: readonly string[];
  readonly seed: number;
  /** Where the process dies. */
  readonly cut?: Cut;
}

// The parameter of a mode, if it takes one: sizes as small as what they show allows.
const details: Readonly<Record<string, readonly string[]>> = {
  refused: ['900', '60000'],
  cut: ['0', '20'],
  'cut-unpromised': ['0', '20'],
  drip: ['500'],
  'status-before': ['400', '404', '408', '409', '413', '429', '500', '502', '503', '504'],
  'status-after': ['303', '408', '409', '500', '502', '503', '504'],
  'rate-limited': ['2', 'date+30', '86400', 'absurd', 'absent'],
  huge: ['17'],
  'gzip-bomb': ['2'],
  'late-commit': ['500', '1900', '5000', 'list', 'list+2'],
};

// Not of one request alone: a key loses its right for good; what was written is shown late, so that a look for it finds nothing yet.
const longer: readonly ((request: number) => readonly string[])[] = [
  (n) => [`status-before=401@#${n}+`],
  (n) => [`status-before=403@#${n}+`],
  (n) => [`reset-after@#${n}`, 'list-lag=1@GET:*:0'],
  (n) => [`reset-after@#${n}`, 'list-lag=30@GET:*:0'],
  (n) => [`reset-after@#${n}`, 'read-after-write=2@GET:*:0'],
];

const ofLists = /^(next-|item-)/;
const ofWrites = /^(executed-twice|late-commit|status-after)/;
const ofBodies =
  /^(empty|html|malformed-json|wrong-|id-missing|other-id|other-answer|unknown-fields|huge|deep|gzip-bomb|cut|drip|headers-only)/;

/** Every case of one leg on one server: each fault mode, in each of its forms, at each request that it can concern. */
export function casesOf({ server, leg, requests }: Prepared): Case[] {
  const lastList = requests.findLastIndex(({ isList }) => isList);
  // Ten thousand pages take their time, so there is one such list a leg.
  const endless: Case = { server, leg, faults: [`next-endless@#${lastList + 1}+`], seed: 0 };
  const each = requests.flatMap((request, at) =>
    troubles(request, at + 1).map((faults, which): Case => ({ server, leg, faults, seed: at * 100 + which })),
  );
  return [...each, endless];
}

/** Every place where the process may die in one leg: at each request, before it is sent, once it is carried out, or once it is answered. */
export function deathsOf({ server, leg, requests }: Prepared): Case[] {
  return requests.flatMap((_, at) =>
    cutPoints.map((point): Case => ({ server, leg, faults: [], seed: at + 1, cut: { request: at + 1, point } })),
  );
}

function troubles(request: Reached, n: number): (readonly string[])[] {
  const single = Object.keys(modes).flatMap((mode) =>
    (details[mode] ?? ['']).map((detail) => `${mode}${detail === '' ? '' : `=${detail}`}@#${n}`),
  );
  const isMet = ([fault = '', second]: readonly string[]): boolean => {
    if (second !== undefined) return request.method === 'POST';
    if (ofLists.test(fault)) return request.isList;
    if (ofWrites.test(fault)) return request.method !== 'GET';
    if (/^(list-lag|read-after-write)/.test(fault)) return false;
    return !ofBodies.test(fault) || request.method !== 'DELETE';
  };
  return [...single.map((fault) => [fault]), ...longer.map((make) => make(n))].filter(isMet);
}

/** Every pair of faults is too many; these are so many of them, drawn by a seed. */
export function pairsOf(prepared: Prepared, count: number, seed = 0): Case[] {
  const all = casesOf(prepared).filter(({ faults }) => faults.length === 1);
  const chance = seeded(seed);
  const draw = (): Case => all[Math.floor(chance() * all.length)] as Case;
  return Array.from({ length: count }, (_, at): Case => {
    const [one, other] = [draw(), draw()];
    return { ...one, faults: [...one.faults, ...other.faults], seed: seed * count + at };
  });
}

/** So many of the cases, drawn by a seed, so that each request and each mode in each form is among them. */
export function sampleOf(cases: readonly Case[], count: number, seed = 0): Case[] {
  const chance = seeded(seed);
  const shuffled = cases
    .map((one) => ({ one, at: chance() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
  const covered = new Set<string>();
  const isNew = ({ server, leg, faults }: Case): boolean => {
    const [mode = '', request = ''] = (faults[0] ?? '').split('@');
    const facts = [`${mode} ${faults.length}`, `${serverName(server)} ${leg} ${request.replace('+', '')}`];
    const known = covered.size;
    for (const fact of facts) covered.add(fact);
    return covered.size > known;
  };
  const needed = shuffled.filter(isNew);
  const taken = new Set(needed);
  return [...needed, ...shuffled.filter((one) => !taken.has(one))].slice(0, Math.max(count, needed.length));
}

/** The mode of a fault, as rows of the table are named: `cut` for `cut=20@#7`. */
export function modeOf(fault: string): string {
  return fault.replace(/[@=].*$/, '');
}

/** A case in one word, for replaying it: `documented-shown-unique/change/reset-after@#7/42`. */
export function nameOf({ server, leg, faults, seed, cut }: Case): string {
  const death = cut === undefined ? [] : [`dies-${cut.point}@#${cut.request}`];
  return `${serverName(server)}/${leg}/${[...faults, ...death].join(',')}/${seed}`;
}

/** Reads such a word. */
export function caseNamed(name: string, servers: readonly Server[]): Case {
  const [of = '', leg, troubles = '', seed = '0'] = name.split('/');
  const server = servers.find((one) => serverName(one) === of);
  if (server === undefined || (leg !== 'create' && leg !== 'change')) throw new Error(`no case: ${name}`);
  const faults = troubles.split(',').filter((trouble) => trouble !== '' && !trouble.startsWith('dies-'));
  const [, point, request] = /dies-(before-send|after-commit|after-answer)@#(\d+)/.exec(troubles) ?? [];
  const cut = point === undefined ? {} : { cut: { point: point as Cut['point'], request: Number(request) } };
  return { server, leg, faults, seed: Number(seed), ...cut };
}

/** The line that replays a case, with a bug planted if one was. */
export function replayLine(one: Case, bug?: string): string {
  const over = process.env['MATRIX_OVER'] === undefined ? '' : `MATRIX_OVER=${process.env['MATRIX_OVER']} `;
  return `${over}${bug === undefined ? '' : `MATRIX_BUG='${bug}' `}MATRIX='${nameOf(one)}' npm run test:matrix`;
}
