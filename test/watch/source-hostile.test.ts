import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SourceError } from '../../src/diagnostics/errors.ts';
import type { Clock } from '../../src/api/clock.ts';
import type { SourceReader } from '../../src/watch/source/watch-source.ts';
import { virtualClock } from '../support/virtual-clock.ts';
import { scratch, textsIn, watched, write, type Texts } from '../support/watched-stack.ts';

const names = ['sluice.yaml', 'edges/a.yaml', 'edges/b.yaml', 'edges/eu/c.yaml'];
const debounceMs = 1000;

/*
 * A writer brings one generation after the other, by every way there is, with pauses shorter than the settle time inside
 * a generation; at random moments it also empties the tree or stops half-way for longer. Every file says its generation.
 */
test.each(Array.from({ length: 24 }, (_, seed) => seed + 1))(
  'whatever a writer does, what is read is a state the tree really had (seed %i)',
  async (seed) => {
    const root = scratch();
    const clock = virtualClock([0.5]);
    const random = randomFrom(seed);
    const link = join(root, 'stack');
    const secret = join(root, 'secret');
    const history: string[] = [];
    const over = { yet: false };
    const { source, signal } = watched(link, clock, { debounceMs });

    const writing = (async () => {
      let tree = join(root, 'tree-0');
      writeFileSync(secret, 'v0');
      write(tree, generation(0));
      symlinkSync(tree, link);
      for (let g = 1; g <= 12; g++) {
        const step = async (change: () => void, longest = debounceMs - 100) => {
          change();
          history.push(stateOf(link, secret));
          await clock.sleep(1 + random() * longest);
        };
        await step(() => undefined, 3 * debounceMs);
        await step(() => writeFileSync(secret, `v${g}`));
        const texts = Object.entries(generation(g));
        switch (Math.floor(random() * 6)) {
          case 0:
            for (const [name, text] of texts) {
              await step(() => write(tree, { [name]: text.slice(0, 7) }));
              await step(() => write(tree, { [name]: text }));
            }
            break;
          case 1:
            for (const [name, text] of texts) {
              await step(() => write(tree, { [`${name}.tmp`]: text }));
              await step(() => renameSync(join(tree, `${name}.tmp`), join(tree, name)));
            }
            break;
          case 2: {
            const [old, next] = [tree, join(root, `tree-${g}`)];
            for (const [name, text] of texts) await step(() => write(next, { [name]: text }));
            await step(() => moveLink(link, next));
            if (random() < 0.5) await step(() => rmSync(old, { recursive: true }));
            tree = next;
            break;
          }
          case 3:
            await step(() => rmSync(tree, { recursive: true }), 2 * debounceMs);
            await step(() => mkdirSync(tree));
            for (const [name, text] of texts) await step(() => write(tree, { [name]: text }));
            break;
          case 4:
            await step(() => truncateSync(join(tree, 'edges/a.yaml')), 3 * debounceMs);
            await step(() => unlinkSync(join(tree, 'edges/b.yaml')), 3 * debounceMs);
            for (const [name, text] of texts) await step(() => write(tree, { [name]: text }));
            break;
          default:
            await step(() => moveLink(link, join(root, 'nowhere')));
            for (const [name, text] of texts) await step(() => write(tree, { [name]: text }));
            await step(() => moveLink(link, tree));
        }
      }
      history.push(stateOf(link, secret));
      over.yet = true;
    })();

    const states: string[] = [];
    const reading = (async () => {
      for (let rounds = 0; rounds < 1000 && !(over.yet && states.at(-1) === history.at(-1)); rounds++) {
        try {
          const { value } = await source.read((dir) => readSlowly(dir, secret, clock), signal);
          states.push(value);
          if (!over.yet) await source.changed(signal);
        } catch (error) {
          expect(error).toBeInstanceOf(SourceError);
          await clock.sleep(100);
        }
      }
    })();

    await clock.run(Promise.all([writing, reading]));
    expect(states.length).toBeGreaterThan(2);
    for (const state of states) expect(history).toContain(state);
    expect(states.at(-1)).toBe(history.at(-1));
  },
);

function generation(g: number): Texts {
  return Object.fromEntries(names.map((name) => [name, `# g = ${g}\n${name}: ${g}\n`]));
}

/** Reads one file after the other and lets others write in between, as loading a stack does. */
async function readSlowly(dir: string, secret: string, clock: Clock): Promise<SourceReader<string>> {
  const texts: Record<string, string> = {};
  const found = readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort();
  for (const name of found) {
    await clock.sleep(20);
    if (statSync(join(dir, name)).isFile()) texts[name] = readFileSync(join(dir, name), 'utf8');
  }
  return { value: asState(texts, readFileSync(secret, 'utf8')), files: [secret] };
}

function stateOf(link: string, secret: string): string {
  try {
    return asState(textsIn(link), readFileSync(secret, 'utf8'));
  } catch {
    return 'nothing';
  }
}

function asState(texts: Texts, secret: string): string {
  const manifests = Object.entries(texts).filter(([name]) => name.endsWith('.yaml'));
  return JSON.stringify([manifests.sort(([a], [b]) => (a < b ? -1 : 1)), secret]);
}

function moveLink(link: string, target: string): void {
  symlinkSync(target, `${link}.tmp`);
  renameSync(`${link}.tmp`, link);
}

// Small, and the same on every machine.
function randomFrom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
