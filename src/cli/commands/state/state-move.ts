import { hostname } from 'node:os';
import { counted } from '../../../diagnostics/counted.ts';
import { Refused } from '../../../diagnostics/errors.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import type { State } from '../../../model/state.ts';
import { openBackend, openFiles, takeLock } from '../../../stack/open-backend.ts';
import { stateOptions } from '../../../stack/open-state.ts';
import { readStackConfig } from '../../../stack/settings/stack-config.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import type { Backend, DocumentName } from '../../../state/backend.ts';
import type { Context } from '../../context.ts';

/** Which files a state is moved from or to. */
export interface MoveFlags {
  readonly file?: string;
  readonly lockTimeout?: number;
}

const documents: readonly DocumentName[] = ['watch-requests', 'watch-state'];

/** Moves the state between files and the store of `sluice.yaml`, under both locks. The old location then contains the new one. */
export async function moveState(context: Context, direction: 'push' | 'pull', flags: MoveFlags): Promise<number> {
  const open = await readStackConfig(context);
  const shared = await openBackend(context, open);
  const files = openFiles(open.dir, flags.file);
  const command = `state ${direction}`;
  const [from, to] = direction === 'push' ? [files, shared] : [shared, files];
  try {
    if (shared.probe === undefined)
      throw new UsageError(
        'sluice.yaml sets no shared store: the state is in a file',
        'set state.postgres or state.s3 in sluice.yaml: `sluice state push` and `sluice state pull` move the state between files and that store',
      );
    const options = stateOptions(context, open, command);
    const source = await takeLock(context, from, command, flags.lockTimeout);
    try {
      const destination = await takeLock(context, to, command, flags.lockTimeout, true);
      try {
        const state = await from.stateStore(options, source).load();
        if (state === undefined)
          throw new Refused('STATE_ABSENT', `there is no state in ${from.location}`, {
            hint:
              direction === 'push' && flags.file === undefined
                ? 'if the state is in another file, name it with --file; if there is none, the first apply creates it'
                : 'no action is required: the first apply creates the state',
          });
        const store = to.stateStore({ ...options, continues: state.serial }, destination);
        mustTake(state, await store.load(), to);
        await store.save(state);
        await store.close();
        await copyDocuments(from, to);
        const place = direction === 'push' ? to.location : `${to.location} on ${hostname()}`;
        await from.moveAway(place, options);
        return printMoved(context, state, from.location, place);
      } finally {
        await destination.release();
      }
    } finally {
      await source.release();
    }
  } finally {
    await shared.close();
    await files.close();
  }
}

/** A move that was interrupted may have copied the state already. */
function mustTake(state: State, found: State | undefined, { location }: Backend): void {
  if (found === undefined || isEmpty(found) || contentOf(found) === contentOf(state)) return;
  const count = Object.keys(found.entries).length;
  throw new Refused(
    'STATE_EXISTS',
    `there is another state in ${location} (${counted(count, 'resource', 'resources')})`,
    {
      hint: 'pass another --file, or set another store in sluice.yaml; `sluice state list` lists the resources in the store of sluice.yaml',
    },
  );
}

function isEmpty({ entries, intents = {}, forgotten = {} }: State): boolean {
  return [entries, intents, forgotten].every((part) => Object.keys(part).length === 0);
}

function contentOf({ serial: _, ...content }: State): string {
  return JSON.stringify(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function copyDocuments(from: Backend, to: Backend): Promise<void> {
  for (const name of documents) {
    const read = await from.document(name).read();
    if ('text' in read) await to.document(name).update(() => read.text);
  }
}

function printMoved(context: Context, state: State, from: string, to: string): number {
  const resources = Object.keys(state.entries).length;
  return context.done(
    `Moved the state (${counted(resources, 'resource', 'resources')}) from ${safeText(from)} to ${safeText(to)}.\n`,
    { moved: { from, to, resources } },
  );
}
