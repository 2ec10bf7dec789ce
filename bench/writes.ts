import { mkdtempSync, rmSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { applyPlan } from '../src/apply/apply.ts';
import { createClient } from '../src/api/client.ts';
import { kinds } from '../src/kinds/index.ts';
import { grouped } from '../src/state/state-to-write.ts';
import { fileStore } from '../src/state/file/file-store.ts';
import { emptyState } from '../src/state/store.ts';
import { harness } from '../test/support/harness.ts';
import { bareWrites } from './bare-writes.ts';
import { best, type Line } from './line.ts';
import { benchStack } from './stack.ts';

const count = 1_000;
const connections = 10;

/** What a write costs beside the bare request, and what the journal adds. */
export async function writes(): Promise<Line[]> {
  const raw = await rounds(rawWrites);
  const bound = await rounds(recordedWrites);
  const ours = await rounds((url) => ownWrites(url, false));
  const kept = await rounds((url) => ownWrites(url, true));
  return [
    {
      what: 'client CPU per write / POST by undici alone',
      figure: kept.cpuMs / raw.cpuMs,
      most: 2.5,
      from: `${((kept.cpuMs / count) * 1000).toFixed(0)} µs / ${((raw.cpuMs / count) * 1000).toFixed(0)} µs`,
    },
    {
      what: 'client CPU per write / POST and two durable lines by a minimal client',
      figure: kept.cpuMs / bound.cpuMs,
      most: 2.5,
      from: `${((bound.cpuMs / count) * 1000).toFixed(0)} µs, ${(bound.cpuMs / raw.cpuMs).toFixed(2)} times the POST`,
    },
    { what: 'apply with its journal / without: wall', figure: kept.wallMs / ours.wallMs, most: 1.05 },
  ];
}

interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

function rounds(measure: (url: string) => Promise<Cost>): Promise<Cost> {
  return best(
    5,
    async () => {
      const stack = await benchStack('--latency', '20');
      try {
        return await measure(stack.url);
      } finally {
        await stack.end();
      }
    },
    ({ cpuMs }) => cpuMs,
  );
}

async function cost(work: () => Promise<unknown>): Promise<Cost> {
  const [cpu, begun] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() - begun };
}

function rawWrites(url: string): Promise<Cost> {
  return cost(() => bareWrites(url, { count, connections }));
}

/** The least that a program can do which records each intent before its POST, and each result, so that a crash loses neither. */
async function recordedWrites(url: string): Promise<Cost> {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const file = await open(join(dir, 'journal'), 'wx');
  let lines = '';
  const write = grouped(async () => {
    await new Promise((idle) => setImmediate(idle));
    const text = lines;
    lines = '';
    writeSync(file.fd, text);
    await file.datasync();
  });
  const record = (line: object): Promise<void> => {
    lines += `${JSON.stringify(line)}\n`;
    return write();
  };
  try {
    return await cost(() => bareWrites(url, { count, connections, record }));
  } finally {
    await file.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function ownWrites(url: string, isKept: boolean): Promise<Cost> {
  const manifest = (n: number): string =>
    `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: a-${n}}\nspec: {region: eu, description: "Address ${n}"}\n`;
  const text = Array.from({ length: count }, (_, n) => manifest(n)).join('---\n');
  const { plan } = await harness().plan({ 'stack.yaml': text });
  const dir = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const agent = new Agent({ connections, pipelining: 1 });
  const store = fileStore({
    path: join(dir, 'state.json'),
    lineage: '7f3a9c21',
    account: url,
    writer: { version: '0.0.0', command: 'bench' },
  });
  try {
    await store.load();
    const state = emptyState('7f3a9c21', url);
    const client = createClient({
      baseUrl: url,
      vendor: 'example',
      key: () => 'bench',
      dispatcher: agent,
      userAgent: 'sluice-bench',
    });
    return await cost(async () => {
      await applyPlan({
        plan,
        kinds,
        client,
        state,
        digest: (secret) => secret,
        record: isKept ? store.recorder(state) : () => Promise.resolve(),
      });
      if (isKept) await store.close();
    });
  } finally {
    await agent.destroy();
    rmSync(dir, { recursive: true, force: true });
  }
}
