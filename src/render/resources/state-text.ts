import { fromState } from '../../derive/stored/from-state.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { Address } from '../../model/address.ts';
import { present } from '../../model/present.ts';
import type { Entry, Intent, State } from '../../model/state.ts';
import { maskedJson, maskMark } from '../values/masked-json.ts';
import type { Palette } from '../text/palette.ts';
import { table } from '../text/table.ts';

/** The state, a line for each resource, and creations with an unknown outcome. */
export function stateTable({ entries, intents = {} }: State, palette: Palette): string {
  const all = sorted(entries);
  const rows = all.map(([address, { id, protect, retain, source = '-' }]) => [
    safeText(address),
    safeText(id),
    [...(protect ? ['protected'] : []), ...(retain ? ['retained'] : [])].join(',') || '-',
    safeText(source),
  ]);
  const known = table(['ADDRESS', 'ID', 'FLAGS', 'SOURCE'], rows, palette, 'The state is empty.\n');
  const lookedUp = sorted(intents).filter(([, { unresolved }]) => unresolved !== true);
  const hidden = sorted(intents).filter(([, { unresolved }]) => unresolved === true);
  return [
    known,
    block(
      'Creations without a recorded response. A run that holds the lock may still receive the response; if no run holds the lock, the next apply checks whether the resource exists:',
      lookedUp,
    ),
    block(
      'Creations whose response was lost and whose outcome sluice cannot check; resolve each with `sluice state resolve ADDRESS`:',
      hidden,
    ),
  ].join('');
}

function block(title: string, open: readonly [Address, Intent][]): string {
  return open.length === 0 ? '' : `\n${title}\n${open.map(([address]) => `  ${safeText(address)}\n`).join('')}`;
}

/** The same as a value for JSON. */
export function stateJson(state: State): Readonly<Record<string, unknown>> {
  const { lineage, serial, account, entries, intents = {} } = state;
  return {
    format_version: '1.0',
    lineage,
    serial,
    account,
    resources: sorted(entries).map(([address, entry]) => facts(address, entry)),
    pending_creations: sorted(intents).map(([address, { kind, parent, unresolved = false }]) =>
      present({ address, kind, parent, unresolved }),
    ),
  };
}

/** The state of one resource. Digests of secrets are not shown. */
export function entryJson(address: Address, entry: Entry): Readonly<Record<string, unknown>> {
  return { ...facts(address, entry), spec: maskedJson(fromState(entry.spec), (_, secret) => maskMark(secret)) };
}

function facts(address: Address, { kind, id, parent, protect, retain, source }: Entry): Record<string, unknown> {
  return present({ address, kind, id, parent, protect, retain, source });
}

function sorted<T>(all: Readonly<Record<Address, T>>): [Address, T][] {
  return Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
}
