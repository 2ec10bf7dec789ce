import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keptDocuments, type ParseFile } from '../../../src/manifest/read/kept-documents.ts';
import { SourceFile } from '../../../src/manifest/read/source-document.ts';
import { diagnosticsText } from '../../../src/render/diagnostics/diagnostics-text.ts';
import { loadDirectory, temporaryFiles } from '../../support/manifests.ts';

const text = `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: mqtt}
spec: {region: eu}
---
apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: office}
spec: {region: us}
`;

const shop = (content: string, path = '/stack/shop.yaml'): SourceFile => new SourceFile('shop.yaml', content, path);
const firstOf = (parse: ParseFile, file: SourceFile): unknown => [...parse(file)][0]?.value;

describe('a file that is read again', () => {
  test('is not parsed again while its text is the same', () => {
    const kept = keptDocuments();
    const first = firstOf(kept.nextReading(), shop(text));
    expect(firstOf(kept.nextReading(), shop(text))).toBe(first);
    expect(firstOf(kept.nextReading(), shop(text))).toBe(first);
  });

  test('is parsed again when its text has changed', () => {
    const kept = keptDocuments();
    firstOf(kept.nextReading(), shop(text));
    expect(firstOf(kept.nextReading(), shop(text.replace('eu', 'ap')))).toMatchObject({ spec: { region: 'ap' } });
  });

  test('is parsed again when it lies elsewhere, because its values may come from files beside it', () => {
    const kept = keptDocuments();
    const first = firstOf(kept.nextReading(), shop(text));
    expect(firstOf(kept.nextReading(), shop(text, '/next/shop.yaml'))).not.toBe(first);
  });

  test('is forgotten once a reading has not come across it', () => {
    const kept = keptDocuments();
    const first = firstOf(kept.nextReading(), shop(text));
    firstOf(kept.nextReading(), new SourceFile('other.yaml', text));
    expect(firstOf(kept.nextReading(), shop(text))).not.toBe(first);
  });

  test('is parsed whole again when the reading before was given up in the middle of it', () => {
    const kept = keptDocuments();
    for (const document of kept.nextReading()(shop(text))) if (document.value !== undefined) break;
    expect([...kept.nextReading()(shop(text))]).toHaveLength(2);
  });

  test('is reported with the same problems at the same places', async () => {
    const kept = keptDocuments();
    const broken = text.replace('kind: ReservedAddr', 'kind: ReservedAdr').replace('region: us', 'regoin: us');
    const dir = temporaryFiles({ 'stack.yaml': broken });
    const reported = async (): Promise<string> =>
      diagnosticsText((await loadDirectory(dir, { parse: kept.nextReading() })).diagnostics);
    const [first, second] = [await reported(), await reported()];
    expect(first).toContain('did you mean `ReservedAddr`?');
    expect(second).toBe(first);
  });
});

test('whatever is edited between readings, the stack is as one that is read for the first time', async () => {
  const content = fc.constantFrom(
    text,
    text.replace('mqtt', 'cars'),
    text.replace('region', 'regoin'),
    '',
    'a: [',
    '{}',
  );
  const tree = fc.dictionary(fc.constantFrom('a.yaml', 'b.yaml', 'deep/c.yaml'), content);
  await fc.assert(
    fc.asyncProperty(fc.array(tree, { minLength: 2, maxLength: 4 }), async (trees) => {
      const kept = keptDocuments();
      const dir = temporaryFiles({});
      for (const files of trees) {
        replaceFiles(dir, files);
        const [again, fresh] = [await loadDirectory(dir, { parse: kept.nextReading() }), await loadDirectory(dir)];
        expect(again.diagnostics).toEqual(fresh.diagnostics);
        expect(again.resources.map(facts)).toEqual(fresh.resources.map(facts));
      }
    }),
    { numRuns: 60 },
  );
});

function replaceFiles(dir: string, files: Readonly<Record<string, string>>): void {
  rmSync(dir, { recursive: true });
  mkdirSync(dir);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
}

function facts({ places, ...resource }: Awaited<ReturnType<typeof loadDirectory>>['resources'][number]): unknown {
  return { ...resource, at: places.of(['region']), patch: places.patchOf?.(['region']) };
}
