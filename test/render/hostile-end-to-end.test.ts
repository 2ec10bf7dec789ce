/*
 * Whatever stands in the texts of manifests and of answers, a plan, its apply and all that is reported them hold nothing
 * that acts: end to end, as a user runs it, from files and a service to what is printed and written. Thousands of
 * hostile strings stand in every text field of every kind, found from the kinds, and in every text of every
 * answer, the refusals of the service among them; secrets are planted wherever there is room for one.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { PlanJson } from '../../src/render/plan/plan-json-schema.ts';
import { sluice, type Ended } from '../cli/terminal.ts';
import type { WrittenObject } from '../generators/item.ts';
import { Canaries } from '../support/canaries.ts';
import { sampleSize } from '../support/samples.ts';
import { countsOf, expectHarmlessMarkdown, expectHarmlessText } from './harmless.ts';
import { answerHostile, refuseHostile } from './hostile-answers.ts';
import {
  copies,
  edge,
  plainCompany,
  renamed,
  withHolders,
  withUnmanaged,
  writeManifests,
  type Company,
} from './hostile-company.ts';
import { hostileManifests } from './hostile-manifests.ts';
import { hostileStrings, type HostileStrings } from './hostile-strings.ts';

// A large sample has them in the life of a second account, too, whose state is lost.
const accounts = sampleSize(1, 2);
const strings = sampleSize(500, 5000);

const validPlan = await validFor('plan');
const validApply = await validFor('apply');
const validEvent = await validFor('event');

test('a plan and its apply, printed in every format and place', { timeout: 300_000 }, async () => {
  let put = await lived(1, () => Promise.resolve());
  if (accounts > 1)
    put += await lived(2, async ({ dir, emulator }) => {
      await rm(join(dir, '.sluice/state.json'));
      emulator.restore(renamed(emulator.snapshot()));
    });
  expect(put).toBeGreaterThan(strings);
});

test('manifests that are wrong in every way, and what is in the way of a plan', { timeout: 300_000 }, async () => {
  const [canaries, drawn] = [new Canaries(), hostileStrings(3)];
  const { dir, env, emulator } = await plainCompany(canaries);
  const anywhere = (forms: (text: string) => readonly string[]): string | undefined =>
    drawn.fitting(
      (text) => forms(readable(text)),
      () => true,
    );
  const wrong = hostileManifests({ text: anywhere, canaries, env }, { copies }).map((manifest, index) => ({
    ...manifest,
    ...(Math.floor(index / 2) % 4 === 0 ? { kind: readable(drawn.next()) } : {}),
    ...(Math.floor(index / 2) % 4 === 1
      ? { metadata: { name: readable(drawn.next()), labels: { [readable(drawn.next())]: 7 } } }
      : {}),
    ...(Math.floor(index / 2) % 4 === 2
      ? {
          lifecycle: {
            ignore: [readable(drawn.next())],
            adopt: readable(drawn.next()),
            moved_from: readable(drawn.next()),
          },
        }
      : {}),
    ...(Math.floor(index / 2) % 4 === 3
      ? { spec: { ...(manifest['spec'] as object), [readable(drawn.next())]: canaries.plant('unknown key') } }
      : {}),
  }));
  await writeManifests(dir, wrong);
  const syntax = [1, 2, 3, 4].map(() => `${drawn.next()}: [${drawn.next()}\n${canaries.plant('syntax')}`);
  await Promise.all(syntax.map((text, index) => writeFile(join(dir, `manifests/${String(index)}.yaml`), text)));

  // An outsider that means no good holds the places that are wanted.
  const holders = [1, 2, 3, 4, 5].map((index) => ({
    id: `edghts_held${String(index)}`,
    hostports: [`held${String(index)}.example.com:443`],
  }));
  emulator.restore(withHolders(emulator.snapshot(), holders));
  const held = holders.map(({ hostports }, index) => edge(`taker${String(index)}`, hostports));

  const ended: Ended[] = [];
  for (const [manifests, args] of [
    [undefined, 'validate --github-annotations'],
    [undefined, 'validate --format sarif'],
    [undefined, 'plan --format json'],
    [undefined, 'plan --format markdown'],
    [held, 'plan --github-annotations'],
    [held, 'plan --format json'],
    [held, 'plan --format markdown'],
  ] as const) {
    if (manifests !== undefined) await writeManifests(dir, manifests);
    const run = await sluice(dir, args, { env });
    expect([args, run.code]).toEqual([args, 8]);
    if (args.includes('annotations')) expectAnnotations(run.err);
    else expectHarmlessText(run.err);
    if (args.includes('markdown')) expectHarmlessMarkdown(run.out);
    else expectHarmlessText(run.out);
    ended.push(run);
  }
  expect(ended[0]?.err.match(/^error\[/gm)?.length).toBeGreaterThan(20 * copies);
  expect(ended[4]?.err.match(/^error\[ALREADY_EXISTS_UNMANAGED\]/gm)).toHaveLength(holders.length);
  for (const { out, err } of ended) expect(canaries.in(out + err)).toEqual([]);
});

/** One account, from plain texts to hostile ones; answers how many of these there were. */
async function lived(
  seed: number,
  happens: (company: Company, drawn: HostileStrings) => Promise<void>,
): Promise<number> {
  const [canaries, drawn] = [new Canaries(), hostileStrings(seed)];
  const company = await plainCompany(canaries);
  const { dir, env, emulator } = company;
  emulator.restore(withUnmanaged(emulator.snapshot()));
  await happens(company, drawn);
  answerHostile(emulator, drawn, canaries);
  const text: typeof drawn.fitting = (forms, fits) => drawn.fitting((one) => forms(readable(one)), fits);
  const wanted = hostileManifests({ text, canaries, env }, { copies });
  await writeManifests(
    dir,
    // Others refer to the first of a kind.
    wanted.filter(({ metadata }, index) => index % 4 !== 3 || (metadata as WrittenObject)['name'] === 'n0-0'),
  );
  const reported: Ended[] = [];
  const run = async (args: string, ...codes: readonly number[]): Promise<Ended> => {
    const ended = await sluice(dir, args, { env });
    expect(codes, `${args}: ${`${ended.out}${ended.err}`.slice(-3000)}`).toContain(ended.code);
    reported.push(ended);
    return ended;
  };

  const log = await run('validate --format sarif', 0);
  const planned = await run(
    'plan --requests --out a.plan --github-annotations --github-summary --gitlab-report report.json',
    0,
  );
  expectHarmlessText(planned.out);
  for (const sign of [
    '@everyone',
    '<img src=x',
    '```',
    '[a](http://evil.example)',
    '\\u{1b}[2J',
    '\\u{202e}',
    '\\u{23}#[add-mask]',
  ])
    expect(planned.out).toContain(sign);
  expectAnnotations(planned.err);
  const json = await run('show a.plan --format json', 0);
  const plan = JSON.parse(json.out) as PlanJson;
  expect(validPlan(plan), JSON.stringify(validPlan.errors)).toBe(true);
  expect(plan.summary).toMatchObject({ blocked: 0 });
  for (const action of ['create', 'update', 'replace', 'delete'] as const)
    expect(plan.summary[action]).toBeGreaterThan(0);

  const summary = await readFile(env['GITHUB_STEP_SUMMARY'] ?? '', 'utf8');
  expectHarmlessMarkdown(summary);
  for (const platform of ['github', 'gitlab', 'gitea', 'bitbucket']) {
    expectHarmlessMarkdown((await run(`show a.plan --format markdown --platform ${platform}`, 0)).out);
    const { out } = await run(`show a.plan --format markdown --platform ${platform} --max-bytes 9000000`, 0);
    expectHarmlessMarkdown(out);
    expect(countsOf(out)).toMatchObject(countsFor(plan, platform !== 'bitbucket'));
  }

  const letThrough = refuseHostile(emulator, drawn);
  await run('apply a.plan', 8); // Some secrets are written out, and so in no plan file.
  const applied = await run('apply --auto-approve --events events.jsonl', 6);
  expectHarmlessText(applied.out);
  expectHarmlessText(applied.err);
  const again = await run('apply --auto-approve --format markdown --max-bytes 9000000', 6);
  expectHarmlessMarkdown(again.out);
  const document = await run('apply --auto-approve --format json', 6);
  expect(validApply(JSON.parse(document.out)), JSON.stringify(validApply.errors)).toBe(true);
  letThrough();

  const written = await Promise.all(
    ['events.jsonl', 'report.json', '.sluice/state.json'].map((name) => readFile(join(dir, name), 'utf8')),
  );
  for (const line of (written[0] ?? '').trimEnd().split('\n'))
    expect(validEvent(JSON.parse(line)), JSON.stringify(validEvent.errors)).toBe(true);
  for (const text of [log.out, json.out, document.out, ...written.slice(0, 2)]) expectHarmlessText(text);
  expect(canaries.count).toBeGreaterThan(20 * copies);
  for (const text of [...reported.flatMap(({ out, err }) => [out, err]), summary, ...written])
    expect(canaries.in(text)).toEqual([]);
  return drawn.put();
}

/** Without what YAML may not hold at all, which would be refused before anything else is seen. */
function readable(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, '');
}

/** Every order to the runner is one of ours, whole on its line. */
function expectAnnotations(text: string): void {
  const lines = text.split('\n').filter((line) => line.startsWith('::'));
  expect(lines.length).toBeGreaterThan(0);
  const ours = /^::(error|warning|notice) (file=[^:,\r]+,line=\d+,col=\d+,)?title=[A-Z_]+::[^\r]+$/;
  expect(lines.filter((line) => !ours.test(line))).toEqual([]);
  expectHarmlessText(
    text
      .split('\n')
      .filter((line) => !line.startsWith('::'))
      .join('\n'),
  );
}

/** What a comment holds of a plan if nothing is left out and nothing added. */
function countsFor(plan: PlanJson, html: boolean): Record<string, number> {
  const { resource_changes, hazards, diagnostics } = plan;
  const changing = resource_changes.filter(({ change }) => change.actions[0] !== 'no-op');
  // What was changed and drifted stands in the tables of both, with the fields that belong there.
  const halves = changing.map(({ reasons }) => new Set(reasons.map(({ reason }) => reason === 'drifted')));
  const rows = halves.reduce((count, { size }) => count + Math.max(1, size), 0);
  // Who can reach what has a table of its own, beside that of the other hazards.
  const about = hazards.filter(({ urls, asked }) => urls !== undefined && asked !== undefined);
  const access = about.length + newRows(plan) - mergedRows(about);
  const others = hazards.length - about.length;
  const tables = [access, others].filter((count) => count > 0).length + (halves.some((half) => half.has(true)) ? 2 : 1);
  return {
    ...(html ? { details: changing.length, summary: changing.length } : { h4: changing.length }),
    pre: changing.length,
    li: diagnostics.filter(({ severity }) => severity !== 'note').length,
    h3: 1,
    table: tables,
    tr: tables + access + others + rows,
  };
}

/** Rows for URLs of new routes behind access control: one for all that say the same. */
function newRows({ resource_changes, hazards, exposure_changes }: PlanJson): number {
  const created = resource_changes
    .filter(({ change }) => change.actions.join() === 'create')
    .map(({ address }) => address);
  const shown = hazards.flatMap(({ urls = [], asked }) => (asked === undefined ? [] : urls));
  const rows = exposure_changes.filter(
    ({ urls, after }) =>
      after.reachable &&
      !after.public &&
      created.includes(after.route ?? '') &&
      urls.some((url) => !shown.includes(url)),
  );
  return new Set(rows.map(({ before, after }) => `${before.who}\n${after.who}`)).size;
}

/** What is opened by becoming public has no row of its own. */
function mergedRows(hazards: PlanJson['hazards']): number {
  const exposed = hazards.filter(({ code }) => code === 'EXPOSES_PUBLICLY');
  return hazards.filter(
    ({ code, urls = [], asked }) =>
      code === 'OPENS_ACCESS' &&
      exposed.some(
        (one) =>
          one.asked?.before === asked?.before &&
          one.asked?.after === asked?.after &&
          urls.every((url) => one.urls?.includes(url) === true),
      ),
  ).length;
}

async function validFor(name: string): Promise<ValidateFunction> {
  const schema = await readFile(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8');
  return new Ajv2020({ strict: false }).compile(JSON.parse(schema) as object);
}
