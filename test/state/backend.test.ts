import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { fileBackend } from '../../src/state/file-backend.ts';
import { describeBackend } from './backend-contract.ts';

describeBackend('files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-backend-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { another: () => Promise.resolve(fileBackend(join(folder, '.sluice/state.json'))) };
});
