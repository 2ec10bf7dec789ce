/*
 * The walks of walks.test.ts the whole way: manifests in files, plans and applies of a program or of the commands, an
 * emulator on a socket, and what people do to a stack in months: they rename, adopt, retain and ignore, lose the state or
 * rebuild it, destroy everything and begin again, while others change the account.
 *
 * STACK_WALKS=500 runs that many; SEED sets the first one. SHOW=1 prints why a turn had no plan.
 */
import { expect, test } from 'vitest';
import type { SpecObject } from '../../../src/kinds/value.ts';
import type { Address } from '../../../src/model/address.ts';
import { sampleSize } from '../../support/samples.ts';
import type { Specs } from '../support.ts';
import { stackWalk, type Extra, type StackWalk } from './stack-walk.ts';
import { walkJudge, type Unsaid } from './walk-judge.ts';
import { drawFrom, edited, firstManifests, type Draw } from './walks.ts';

interface Wanted {
  readonly specs: Specs;
  readonly extras: Readonly<Record<Address, Extra>>;
}

/** One thing that a person changes in the manifests. */
function changed({ specs, extras }: Wanted, draw: Draw, stack: StackWalk): Wanted {
  const routes = Object.keys(specs).filter((address) => address.startsWith('HTTPSEdgeRoute/'));
  const route = routes.length === 0 ? undefined : draw.one(routes);
  const reported = (address: Address, more: Extra): Wanted => ({
    specs,
    extras: { ...extras, [address]: { ...extras[address], ...more } },
  });
  const moved = (from: Address, to: Address, more: Extra): Wanted => {
    const { [from]: spec = {}, ...others } = specs;
    return { specs: { ...others, [to]: spec }, extras: { ...extras, [to]: { ...extras[from], ...more } } };
  };
  if (route === undefined || draw.chance(0.65)) return { specs: edited(specs, draw), extras };
  const [edge = '', match = ''] = route.slice('HTTPSEdgeRoute/'.length).split(/:(.*)/s);
  switch (draw.below(8)) {
    case 0:
      return reported(route, { lifecycle: { on_remove: 'retain' } });
    case 1:
      return reported(route, { lifecycle: { ignore: [draw.one(['/oauth', '/backend', '/ip_restriction'])] } });
    case 2: {
      // Renamed, or given a name.
      const name = `route-${String(draw.below(100))}`;
      const former = `HTTPSEdgeRoute/${edge}:${extras[route]?.name ?? match}`;
      return reported(route, { name, lifecycle: { moved_from: former } });
    }
    case 3: {
      // Narrowed, and it keeps its name.
      const narrow = `HTTPSEdgeRoute/${edge}:/x/y`;
      return narrow in specs ? { specs, extras } : moved(route, narrow, {});
    }
    case 4: {
      const other = `HTTPSEdgeRoute/${edge === 'one' ? 'two' : 'one'}:${match}`;
      const isThere = `HTTPSEdge/${edge === 'one' ? 'two' : 'one'}` in specs && !(other in specs);
      return isThere
        ? moved(route, other, { lifecycle: { moved_from: `HTTPSEdgeRoute/${edge}:${match}` } })
        : { specs, extras };
    }
    case 5: {
      const outside = stack
        .reading()
        .find(
          ({ kind, id, spec }) =>
            kind === 'HTTPSEdgeRoute' &&
            id.includes('outside') &&
            !routes.some((one) => one.endsWith(String(spec['match']))),
        );
      if (outside === undefined) return { specs, extras };
      const owner = stack.reading().find(({ id }) => id === outside.parent);
      const address = `HTTPSEdgeRoute/${String(owner?.spec['description'])}:${String(outside.spec['match'])}`;
      return {
        specs: { ...specs, [address]: { backend: { backend_id: 'bkd_app' } } },
        extras: { ...extras, [address]: { lifecycle: { adopt: outside.id } } },
      };
    }
    case 6:
      return {
        specs: { ...specs, [route]: { ...specs[route], oauth: { provider: { google: {} } }, oidc: null, saml: null } },
        extras,
      };
    default:
      return { specs, extras: Object.fromEntries(Object.entries(extras).filter(([address]) => address !== route)) };
  }
}

/** Somebody else changes the account. */
function disturb(stack: StackWalk, draw: Draw): void {
  const specs = stack.specs();
  const edges = Object.keys(specs).filter((address) => address.startsWith('HTTPSEdge/'));
  const [edge] = edges;
  if (edge === undefined) return;
  if (draw.chance(0.15))
    stack.drift({ ...specs, [`HTTPSEdgeRoute/${edge.slice(10)}:/x/z`]: { backend: { backend_id: 'bkd_app' } } });
  else if (draw.chance(0.1)) stack.drift({ ...specs, [edge]: { ...specs[edge], tls_termination: upstream } });
  else {
    const after = edited(specs, draw);
    stack.drift(Object.fromEntries(Object.entries(after).filter(([address]) => address in specs)));
  }
}

const walks = Number(process.env['STACK_WALKS'] ?? sampleSize(6, 16));

const upstream: SpecObject = { terminate_at: 'upstream' };

interface Walked {
  readonly misses: readonly (Unsaid & { readonly seed: number })[];
  readonly plans: number;
  readonly trail: readonly string[];
}

async function walked(seed: number): Promise<Walked> {
  const draw = drawFrom(seed);
  const stack = await stackWalk(seed);
  const judge = walkJudge();
  const misses: (Unsaid & { readonly seed: number })[] = [];
  const trail: string[] = [];
  let wanted: Wanted = { specs: firstManifests(draw), extras: {} };
  let plans = 0;
  try {
    for (let turn = 0; turn < 5; turn++) {
      for (let edits = draw.below(3); turn > 0 && edits >= 0; edits--) wanted = changed(wanted, draw, stack);
      if (draw.chance(0.3)) disturb(stack, draw);
      const event = draw.below(20);
      if (event === 0) {
        await stack.loseState();
        judge.beginAgain(stack.reading());
      } else if (event === 1) {
        await stack.command('state rebuild');
        judge.beginAgain(stack.reading());
      } else if (event === 2) await stack.command('destroy --auto-approve --allow EXPOSES_PUBLICLY');
      await stack.write(wanted.specs, wanted.extras);
      const targets = draw.chance(0.2)
        ? Object.keys(wanted.specs)
            .filter(() => draw.chance(0.4))
            .map((one) => targetOf(one, wanted))
        : [];
      const most = draw.chance(0.2) ? draw.below(3) : Infinity;
      const taken = await (draw.chance(0.1) ? stack.commands(targets, most) : stack.turn(targets, most));
      if (taken === undefined) continue;
      plans += 1;
      const after = stack.reading();
      trail.push(
        `turn ${String(turn)} ${event < 3 ? `event ${String(event)}` : ''} ${targets.join(' ')} ${taken.isWhole ? '' : 'in part'}`,
      );
      for (const { id, spec } of taken.before)
        trail.push(`  was ${id} ${JSON.stringify({ ...spec, metadata: undefined })}`);
      for (const { id, spec } of after) trail.push(`  is  ${id} ${JSON.stringify({ ...spec, metadata: undefined })}`);
      for (const { code, message } of taken.plan.hazards) trail.push(`  ${code} ${message}`);
      // What is ignored is left to others, and compared only by whether it is in effect (decisions/0045).
      const ignoring = Object.keys(wanted.extras).filter(
        (address) => wanted.extras[address]?.lifecycle?.['ignore'] !== undefined,
      );
      for (const one of judge.judge({ ...taken, after })) {
        const isIgnored = ignoring.some((address) => one.path.startsWith(address.slice(address.indexOf(':') + 1)));
        if (!isIgnored || one.what !== 'drift lets in more') misses.push({ ...one, seed });
      }
    }
  } finally {
    await stack.close();
  }
  return { misses, plans, trail };
}

function targetOf(address: Address, { extras }: Wanted): Address {
  const name = extras[address]?.name;
  return name === undefined ? address : `${address.slice(0, address.indexOf(':'))}:${name}`;
}

test(
  'no walk of a stack lets anybody in unsaid',
  async () => {
    const first = Number(process.env['SEED'] ?? 1);
    const all: Walked[] = [];
    for (let seed = first; seed < first + walks; seed++) all.push(await walked(seed));
    const missed = all.flatMap(({ misses }) =>
      misses.map(({ seed, place, path, what }) => `${String(seed)}: ${what} at ${place}${path}`),
    );
    expect(missed.slice(0, 20), all.find(({ misses }) => misses.length > 0)?.trail.join('\n')).toEqual([]);
    // Most turns come to a plan.
    expect(all.reduce((sum, { plans }) => sum + plans, 0)).toBeGreaterThan(walks * 3.5);
  },
  600_000 + walks * 20_000,
);
