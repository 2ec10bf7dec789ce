import type { SpecObject } from '../kinds/value.ts';
import type { AccountStore } from './account/account.ts';
import type { Family, Stored } from './family.ts';
import type { Chance } from './ids.ts';
import type { Settings } from './options.ts';

/** Everything one emulator consists of. */
export interface EmulatorWorld {
  readonly settings: Settings;
  readonly families: ReadonlyMap<string, Family>;
  readonly behaviours: ReadonlyMap<string, Behaviour>;
  readonly account: AccountStore;
  readonly chance: Chance;
}

/** What a family does beyond keeping what it was given. */
export interface Behaviour {
  /** What of the body of an update is taken notice of. */
  readonly interpret?: (body: SpecObject, world: EmulatorWorld) => SpecObject;
  /** What the service decides when the resource is created or changed; kept as its `own`. */
  readonly decide?: (resource: Stored, before: Stored | undefined, world: EmulatorWorld) => SpecObject;
  /** Values added to the read form, or replaced in it. */
  readonly show?: (read: SpecObject, resource: Stored, world: EmulatorWorld, origin: string) => SpecObject;
  /** Whether it shows something else as time passes, or as other resources change. */
  readonly live?: (resource: Stored) => boolean;
  /** What follows elsewhere from a write; `now` is undefined after a delete. */
  readonly follow?: (now: Stored | undefined, before: Stored | undefined, world: EmulatorWorld) => void;
  /** A command was sent to the resource. */
  readonly act?: (action: string, resource: Stored, world: EmulatorWorld) => void;
  /** Lets the time that has passed have its effects, before a request of the family is answered. */
  readonly pass?: (world: EmulatorWorld) => void;
  /** Whether the key may use the family at all. */
  readonly granted?: (world: EmulatorWorld) => boolean;
}

/** The present, as the service writes times: RFC 3339 to the second. */
export function timeOf(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}
