import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import type { AccountData } from '../../src/emulator/account/account-data.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { DesiredStack } from '../../src/model/resource.ts';
import type { State } from '../../src/model/state.ts';
import { Canaries } from '../support/canaries.ts';
import { seeded } from './chance.ts';
import { foreignResources } from './foreign.ts';
import { oneRun } from './one-run.ts';
import { canarySecrets, reference } from './reference.ts';
import type { Server } from './servers.ts';
import { simulatedTime } from './simulated-time.ts';
import { formsOf, type Forms } from './forms.ts';
import { witness, type Deed, type Doors, type Front } from './witness.ts';

/** The two legs of the reference apply. */
export type Leg = 'create' | 'change';

/** One request of the fault-free apply. */
export interface Reached {
  readonly method: string;
  readonly path: string;
  readonly isList: boolean;
}

/** One leg on one server, as it goes when nothing goes wrong, and what it begins with. */
export interface Prepared {
  readonly server: Server;
  readonly leg: Leg;
  readonly desired: DesiredStack;
  readonly account: AccountData;
  readonly state: State | undefined;
  readonly requests: readonly Reached[];
  readonly done: readonly Deed[];
  readonly forms: Forms;
  readonly first: Front;
  readonly last: Front;
  readonly doors: Doors;
  readonly canaries: Canaries;
  readonly key: string;
}

/** Goes through both legs on a server without any fault. */
export async function prepare(server: Server): Promise<Readonly<Record<Leg, Prepared>>> {
  const canaries = new Canaries();
  const key = canaries.plantKey('the API key');
  const env = Object.fromEntries(Object.entries(canarySecrets).map(([name, where]) => [name, canaries.plant(where)]));
  const { before, after } = await reference(server.profile, env);
  const doors = doorsOf([before, after]);
  const time = simulatedTime(seeded(0));
  try {
    const emulator = emulatorFor(server, key);
    for (const { path, body } of foreignResources)
      await emulator.handle({ method: 'POST', path, headers: headersWith(key), body: JSON.stringify(body) });
    const memory: { state: State | undefined; saves: number } = { state: undefined, saves: 0 };
    const leg = async (name: Leg, desired: DesiredStack): Promise<Prepared> => {
      const account = emulator.snapshot();
      const { state } = memory;
      const seen = witness(emulator, doors);
      const from = emulator.log.length;
      const within = {
        emulator,
        profile: server.profile,
        key,
        clock: time.clock,
        chance: seeded(7),
        memory,
        planted: {},
      };
      const { outcome, error } = await time.run(() => oneRun(desired, within));
      const open = outcome?.changes.filter(({ ending }) => ending !== 'done') ?? [];
      if (outcome === undefined || open.length > 0)
        throw new Error(`the reference apply did not go through: ${JSON.stringify(open, null, 1)}`, { cause: error });
      const requests = emulator.log.slice(from).map(({ method, path }) => ({
        method,
        path,
        isList: method === 'GET' && kinds.all.some(({ path: list }) => list === path),
      }));
      const [first, last]: (Front | undefined)[] = [seen.fronts[0], seen.fronts.at(-1)];
      if (first === undefined || last === undefined) throw new Error('a witness sees at least the beginning');
      const forms = formsOf(emulator.snapshot().resources);
      return {
        server,
        leg: name,
        desired,
        account,
        state,
        requests,
        done: [...seen.done],
        forms,
        first,
        last,
        doors,
        canaries,
        key,
      };
    };
    return { create: await leg('create', before), change: await leg('change', after) };
  } finally {
    time.end();
  }
}

/** An emulator that behaves as a server does. */
export function emulatorFor(server: Server, apiKey: string): Emulator {
  return createEmulator({ seed: 1, apiKey, clock: () => new Date(), ...server });
}

function headersWith(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'example-version': '2', 'content-type': 'application/json' };
}

function doorsOf(stacks: readonly DesiredStack[]): Doors {
  const specs = stacks.flatMap(({ resources }) => resources.map(({ spec }) => spec));
  const places = specs.flatMap(({ hostports }) => (Array.isArray(hostports) ? hostports.map(String) : []));
  const matches = specs.flatMap(({ match }) => (typeof match === 'string' ? [match] : []));
  return {
    places: [...new Set(places)],
    paths: [...new Set(['/elsewhere', ...matches])],
  };
}
