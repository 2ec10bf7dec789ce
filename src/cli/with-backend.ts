import { dirname } from 'node:path';
import { InvalidInput, StateError } from '../diagnostics/errors.ts';
import { safeText } from '../diagnostics/safe-text.ts';
import { withoutLinks } from '../files/real-path.ts';
import { readStackFile } from '../manifest/stack-file/stack-file.ts';
import { parsedObject } from '../model/json-object.ts';
import { openBackend, openBackendBeside, openFiles, socketVariable } from '../stack/open-backend.ts';
import { readStackConfig } from '../stack/settings/stack-config.ts';
import { stackFileAtHand } from '../stack/stack-file-at-hand.ts';
import type { Backend } from '../state/backend.ts';
import { askWatch, wakeWatch } from '../watch/control/ask-watch.ts';
import { mustBeOfStack, readWatchState } from '../watch/watch-state.ts';
import { closeAfter } from './close-after.ts';
import type { Context } from './context.ts';

/** Works with where the stack keeps its state. */
export async function withBackend<Result>(
  context: Context,
  work: (backend: Backend) => Promise<Result>,
): Promise<Result> {
  const backend = await backendOf(context);
  return closeAfter(context, backend.close, () => work(backend));
}

/** The same, for what is kept beside the state: an error where the state was moved away, since nobody reads it there. */
export function withStateHere<Result>(context: Context, work: (backend: Backend) => Promise<Result>): Promise<Result> {
  return withWatchBackend(context, async (backend) => {
    await backend.mustBeHere();
    return work(backend);
  });
}

/** The same as `withBackend`, for what is asked of a watch: one that runs keeps the state that it began with, whatever `state.path` is now. */
export async function withWatchBackend<Result>(
  context: Context,
  work: (backend: Backend) => Promise<Result>,
): Promise<Result> {
  const own = await backendOf(context);
  const earlier = await movedFrom(own, context);
  if (earlier !== undefined)
    context.log(
      'warn',
      `the running watch does not use the new state.path of sluice.yaml; this command uses the state of the watch at ${safeText(earlier.location)}. Restart the watch to accept the change of sluice.yaml, or revert the change.`,
    );
  return closeAfter(context, own.close, async () => {
    await mustBeOfThisStack(earlier ?? own, context);
    return work(earlier ?? own);
  });
}

/** Two stacks whose state has one path share what is beside it: nobody pauses the watch of another stack by mistake. What cannot be read keeps nobody from a pause. */
async function mustBeOfThisStack(backend: Backend, context: Context): Promise<void> {
  const file = stackFileAtHand(context);
  const stack = file === undefined ? undefined : readStackFile(file).file?.settings.stack;
  if (file === undefined || stack === undefined) return;
  const document = backend.document('watch-state');
  const found = await readWatchState(document).catch((error: unknown) => {
    if (error instanceof StateError) return undefined;
    throw error;
  });
  if (found?.stack === undefined || found.stack === stack.id) return;
  if (!(await isWatchedHere(backend, dirname(file)))) mustBeOfStack(found, stack.id, document);
  context.log(
    'warn',
    `the running watch does not use the new stack.id of sluice.yaml; this command reaches the watch of stack ${safeText(found.stack, 80)}. Restart the watch to accept the change of sluice.yaml, or revert the change.`,
  );
}

/** Whether the watch that runs there is that of a directory: a commit may have changed the id of its stack. */
async function isWatchedHere({ socketPath }: Backend, dir: string): Promise<boolean> {
  if (socketPath === undefined) return false;
  const signal = AbortSignal.timeout(5_000);
  const answer = await askWatch(socketPath, '/status', { signal }).catch(() => undefined);
  const { directory } = parsedObject(answer ?? '') ?? {};
  return typeof directory === 'string' && withoutLinks(directory) === withoutLinks(dir);
}

/** The default state of the stack, if a watch runs there and none where `state.path` is. */
async function movedFrom(backend: Backend, context: Context): Promise<Backend | undefined> {
  const file = stackFileAtHand(context);
  const isSetApart = (context.io.env[socketVariable] ?? '') !== '';
  if (file === undefined || isSetApart || backend.socketPath === undefined) return undefined;
  const usual = openFiles(dirname(file));
  if (usual.location === backend.location || (await wakeWatch(backend))) return undefined;
  return (await wakeWatch(usual)) ? usual : undefined;
}

/** While `sluice.yaml` is invalid, the watch that runs shows where its state is: it keeps the settings that it began with. */
async function backendOf(context: Context): Promise<Backend> {
  try {
    return await openBackend(context, await readStackConfig(context));
  } catch (error) {
    const file = stackFileAtHand(context);
    if (!(error instanceof InvalidInput) || file === undefined) throw error;
    const backend = openBackendBeside(file);
    if (!(await wakeWatch(backend))) throw error;
    context.log(
      'warn',
      `sluice.yaml is invalid; using the state of the running watch at ${safeText(backend.location)}. Run \`sluice validate\` to see the errors in sluice.yaml.`,
    );
    return backend;
  }
}
