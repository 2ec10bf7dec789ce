import { setTimeout as delay } from 'node:timers/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { createClient } from '../src/api/client.ts';
import { applyPlan } from '../src/apply/apply.ts';
import { kinds } from '../src/kinds/index.ts';
import type { Backend } from '../src/state/backend.ts';
import { fileBackend } from '../src/state/file/file-backend.ts';
import { usualTiming } from '../test/support/usual-timing.ts';
import type { RemoteStore } from '../src/state/remote/remote-store.ts';
import { emptyState } from '../src/state/store.ts';
import { backendOver, probed } from '../test/state/remote/backends.ts';
import { memoryStore, sharedMemory } from '../test/state/remote/memory-store.ts';
import { harness } from '../test/support/harness.ts';
import { best, type Line } from './line.ts';
import { benchStack } from './stack.ts';

const count = 1_000;
const latencyMs = 20;

/** What a state in a store in the network costs beside one in files: requests, bytes and time. */
export async function store(): Promise<Line[]> {
  const lines: Line[] = [];
  for (const parallelism of [10, 50]) {
    const inFiles = await best(
      3,
      () => fileApply(parallelism),
      ({ wallMs }) => wallMs,
    );
    const shared = await best(
      3,
      () => sharedApply(parallelism),
      ({ wallMs }) => wallMs,
    );
    const { requests, bytes } = shared;
    lines.push(
      { what: `store requests of an apply of ${count}, ${parallelism} connections`, figure: requests, most: count },
      { what: 'bytes sent to the store per resource', figure: bytes / count, most: 4_000 },
      {
        what: `apply of ${count} with a store ${latencyMs} ms away / files: wall, ${parallelism} connections`,
        figure: shared.wallMs / inFiles.wallMs,
        most: 1.3,
        from: `${shared.wallMs.toFixed(0)} ms / ${inFiles.wallMs.toFixed(0)} ms`,
      },
    );
  }
  return lines;
}

interface Cost {
  readonly wallMs: number;
}

async function fileApply(parallelism: number): Promise<Cost> {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  try {
    return { wallMs: await applied(fileBackend(join(dir, 'state.json')), parallelism) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function sharedApply(parallelism: number): Promise<Cost & { readonly requests: number; readonly bytes: number }> {
  const { store: far, sent } = distant(await probed(memoryStore(sharedMemory())));
  const wallMs = await applied(backendOver(far, { timing: usualTiming }), parallelism, 3 * parallelism);
  return { wallMs, ...sent };
}

/** A store that answers after a while, and counts. */
function distant(inner: RemoteStore): {
  readonly store: RemoteStore;
  readonly sent: { requests: number; bytes: number };
} {
  const sent = { requests: 0, bytes: 0 };
  const asked = async <T>(work: () => Promise<T>): Promise<T> => {
    sent.requests += 1;
    await delay(latencyMs);
    return work();
  };
  const store: RemoteStore = {
    ...inner,
    read: (name) => asked(() => inner.read(name)),
    swap: (name, expected, bytes, held) => {
      sent.bytes += bytes.length;
      return asked(() => inner.swap(name, expected, bytes, held));
    },
    list: (prefix) => asked(() => inner.list(prefix)),
    remove: (names) => asked(() => inner.remove(names)),
    timeline: () => asked(() => inner.timeline()),
  };
  return { store, sent };
}

/** How long it takes from taking the lock to giving it back. */
async function applied(backend: Backend, parallelism: number, lookAhead = 0): Promise<number> {
  const stack = await benchStack('--latency', String(latencyMs));
  const agent = new Agent({ connections: parallelism, pipelining: 1 });
  try {
    const text = Array.from(
      { length: count },
      (_, n) => `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: a-${n}}\nspec: {region: eu}\n`,
    ).join('---\n');
    const { plan } = await harness().plan({ 'stack.yaml': text });
    const options = { lineage: '7f3a9c21', account: stack.url, writer: { version: '0.0.0', command: 'bench' } };
    const client = createClient({
      baseUrl: stack.url,
      vendor: 'example',
      key: () => 'bench',
      dispatcher: agent,
      userAgent: 'sluice-bench',
    });
    const begun = performance.now();
    const lock = await backend.acquireLock('sluice apply');
    const kept = backend.stateStore(options, lock);
    const state = (await kept.load()) ?? emptyState(options.lineage, options.account);
    await applyPlan({
      plan,
      kinds,
      client,
      state,
      record: kept.recorder(state),
      digest: (secret) => secret,
      parallelism,
      lookAhead,
    });
    await kept.close();
    await lock.release();
    return performance.now() - begun;
  } finally {
    await backend.close();
    await agent.destroy();
    await stack.end();
  }
}
