import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { AgentSetup } from '../../src/emulator/agents/agents.ts';
import type { EmulatorOptions } from '../../src/emulator/options.ts';
import type { Json } from './words.ts';

/** One request and what must be answered to it, as a fixture writes it (README.md reports what each word means). */
export interface Step extends Answered {
  /** Seconds that pass before the request. */
  readonly after?: number;
  readonly send: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** A body that is sent as it stands. */
  readonly raw?: string;
  /** What is answered instead under `documented`. */
  readonly documented?: Answered;
  /** The name under which later steps know the answer's body. */
  readonly as?: string;
}

/** What must be answered: a success with a body that reads so, or a refusal. */
export interface Answered {
  readonly answer?: number;
  readonly reads?: Json;
  readonly refused?: number;
  readonly code?: string;
  readonly with?: Readonly<Record<string, string>>;
}

/** A named sequence of requests and answers, with where it was transcribed from. */
export interface Exchange {
  readonly family: string;
  readonly name: string;
  readonly from: string;
  readonly since: 'described' | 'completed';
  readonly documented?: 'same';
  readonly shows: readonly string[];
  /** Agents that are online before the first request. */
  readonly agents?: readonly AgentSetup[];
  /** In which of the ways that services differ this one behaves. */
  readonly service?: EmulatorOptions;
  /** Requests a minute that pass. */
  readonly rate_limit?: number;
  /** The file's setups named by `given`, then the steps of its own. */
  readonly steps: readonly Step[];
}

const fixtures = join(import.meta.dirname, 'fixtures');

/** Every exchange of every file, setups in place. */
export function readExchanges(): readonly Exchange[] {
  return readdirSync(fixtures)
    .filter((file) => file !== 'shapes.yaml')
    .flatMap((file) => exchangesOf(parse(readFileSync(join(fixtures, file), 'utf8')) as WrittenFile));
}

/** The shapes by name. */
export function readShapes(): Readonly<Record<string, Json>> {
  return parse(readFileSync(join(fixtures, 'shapes.yaml'), 'utf8')) as Record<string, Json>;
}

interface WrittenFile {
  readonly family: string;
  readonly setups?: Readonly<Record<string, readonly Step[]>>;
  readonly exchanges: readonly (Omit<Exchange, 'family' | 'shows'> & {
    readonly given?: readonly string[];
    readonly shows?: string | readonly string[];
  })[];
}

function exchangesOf({ family, setups = {}, exchanges }: WrittenFile): readonly Exchange[] {
  return exchanges.map(({ given = [], shows = [], steps, ...rest }) => ({
    ...rest,
    family,
    shows: [shows].flat(),
    steps: [...given.flatMap((name) => setupNamed(setups, name)), ...steps],
  }));
}

function setupNamed(setups: Readonly<Record<string, readonly Step[]>>, name: string): readonly Step[] {
  const setup = setups[name];
  if (setup === undefined) throw new Error(`a fixture is given "${name}", which its file does not set up`);
  return setup;
}
