import { openBackend } from '../stack/open-backend.ts';
import { readStackConfig } from '../stack/settings/stack-config.ts';
import type { Backend } from '../state/backend.ts';
import type { Context } from './context.ts';

/** Works with where the stack keeps its state. */
export async function withBackend<Result>(
  context: Context,
  work: (backend: Backend) => Promise<Result>,
): Promise<Result> {
  const backend = await openBackend(context, await readStackConfig(context));
  try {
    return await work(backend);
  } finally {
    await backend.close();
  }
}
