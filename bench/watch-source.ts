import { watch } from 'chokidar';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileDigests } from '../src/watch/source/file-digests.ts';
import { fileEvents } from '../src/watch/source/file-events.ts';
import { scanTree, type TreeScan } from '../src/watch/source/tree-scan.ts';
import { createChangeDetector } from '../src/watch/source/change-detector.ts';
import { wallClock } from '../src/api/clock.ts';
import { best, type Line } from './line.ts';

const directories = 100;
const filesInEach = 100;
const rounds = 3;

/** How long it takes until every change in 10,000 manifests is told of, beside chokidar on the same tree. */
export async function watchSource(): Promise<Line[]> {
  const above = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const dir = join(above, 'stack');
  mkdirSync(dir);
  try {
    plant(dir);
    const look = (digests = fileDigests()): Promise<TreeScan> =>
      scanTree({ dir, inputs: () => ['edges'], further: new Set(), digests });
    const digests = fileDigests(() => Infinity);
    const tree = await look(digests);
    const chokidar = await least(() => chokidarReady(dir));
    const listening = await least(() => listen(tree));
    const first = await least(() => look());
    const again = await least(() => look(digests));
    const from = `chokidar ${chokidar.toFixed(0)} ms, listening ${listening.toFixed(0)} ms, first look ${first.toFixed(0)} ms, a later one ${again.toFixed(0)} ms`;
    return [
      {
        what: 'watch: ready, listening for 10,000 files / chokidar on the same tree',
        figure: listening / chokidar,
        most: 0.25,
        from,
      },
      {
        what: 'watch: looking at 10,000 files of which none has changed / chokidar ready',
        figure: again / chokidar,
        most: 0.25,
      },
    ];
  } finally {
    rmSync(above, { recursive: true, force: true });
  }
}

function plant(dir: string): void {
  writeFileSync(join(dir, 'sluice.yaml'), 'manifests: [edges]\n');
  for (let d = 0; d < directories; d++) {
    mkdirSync(join(dir, 'edges', String(d)), { recursive: true });
    for (let f = 0; f < filesInEach; f++)
      writeFileSync(join(dir, 'edges', String(d), `${f}.yaml`), 'key: value\n'.repeat(40));
  }
}

async function chokidarReady(dir: string): Promise<void> {
  const watcher = watch(dir, { ignoreInitial: true });
  await new Promise<void>((done) => watcher.once('ready', done));
  await watcher.close();
}

function listen(tree: TreeScan): void {
  const attention = createChangeDetector({
    scanMs: 10_000,
    poll: false,
    clock: wallClock,
    log: () => undefined,
    events: fileEvents,
  });
  attention.watchTree(tree);
  attention.close();
}

async function least(work: () => unknown): Promise<number> {
  const measure = async (): Promise<number> => {
    const began = performance.now();
    await work();
    return performance.now() - began;
  };
  return best(rounds, measure, (ms) => ms);
}
