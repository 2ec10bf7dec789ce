import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { fileBackend } from '../../src/state/file/file-backend.ts';
import { describeBackend } from './backend-contract.ts';
import { backendOver } from './remote/backends.ts';
import { memoryStore, sharedMemory } from './remote/memory-store.ts';

describeBackend('files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-backend-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { another: () => Promise.resolve(fileBackend(join(folder, '.sluice/state.json'))) };
});

describeBackend('a shared store', () => {
  const memory = sharedMemory();
  return Promise.resolve({ another: () => Promise.resolve(backendOver(memoryStore(memory))) });
});
