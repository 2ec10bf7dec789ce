import { resolve } from 'node:path';
import type { Backend } from '../state/backend.ts';
import { fileBackend } from '../state/file-backend.ts';
import type { StackConfig } from './settings/stack-config.ts';

/** Opens the storage backend of the stack. Only this function knows where it is. */
export function openBackend({ dir, settings }: Pick<StackConfig, 'dir' | 'settings'>): Promise<Backend> {
  return Promise.resolve(fileBackend(resolve(dir, settings.state.path)));
}
