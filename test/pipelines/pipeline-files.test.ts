import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { componentJobs } from '../support/run-steps.ts';
import { skippedWithout } from '../support/skipped-without.ts';

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const read = (file: string): string => readFileSync(file, 'utf8');
const [shellcheck, actionlint] = ['shellcheck', 'actionlint'].map((name) => skippedWithout(name, has(name)));

// The schemas use keywords of editors.
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
const [ofAction, ofPipeline] = ['github-action', 'gitlab-ci'].map((name) =>
  ajv.compile(JSON.parse(read(`test/pipelines/schemas/${name}.json`)) as object),
);

/** Insists that a schema admits a document. */
function expectAdmitted(validate: typeof ofAction, document: unknown): void {
  expect([validate?.(document), validate?.errors]).toEqual([true, null]);
}

interface Action {
  readonly inputs: Readonly<
    Record<string, { readonly description: string; readonly required?: boolean; readonly default?: string }>
  >;
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Readonly<Record<string, unknown>>[] };
}

describe('action.yml', () => {
  const action = parse(read('action.yml')) as Action;

  test('is what the schema of actions admits, which refuses a key that no action has', () => {
    expectAdmitted(ofAction, action);
    expect(ofAction?.({ ...action, outcome: {} })).toBe(false);
  });

  test('puts no expression into a script: inputs are data, whatever is in them', () => {
    for (const step of action.runs.steps) {
      expect(step['shell']).toBe('bash');
      expect(step['run']).not.toContain('${{');
    }
  });

  test('gives the token to the step that comments, and the key to the step that plans and applies', () => {
    const withEnv = (name: string): unknown[] =>
      action.runs.steps.filter(({ env }) => JSON.stringify(env).includes(`inputs.${name}`)).map(({ id }) => id);
    expect([withEnv('token'), withEnv('api-key')]).toEqual([['comment'], ['run']]);
    expect(withEnv('review-token')).toEqual(['run', 'publish']);
    expect(withEnv('base-url')).toEqual(['run', 'comment']);
  });

  test('describes each input, which is required or has a default, and each output', () => {
    for (const [name, input] of Object.entries(action.inputs)) {
      expect([name, typeof input.description]).toEqual([name, 'string']);
      expect([name, input.required === true || typeof input.default === 'string']).toEqual([name, true]);
    }
    for (const [name, { value }] of Object.entries(action.outputs))
      expect(value).toBe(`\${{ steps.run.outputs.${name} }}`);
  });
});

describe('the GitLab component', () => {
  const [head, jobs] = parseAllDocuments(read('templates/sluice.yml')).map(
    (one) => one.toJS() as Record<string, never>,
  );

  const usual = { image: 'registry.example.com/sluice:1.0.0', 'base-url': 'https://api.example.com' };

  test('is what the schema of GitLab pipelines admits, which refuses a key that no job has', () => {
    const included = componentJobs('templates/sluice.yml', usual);
    for (const document of [head, included, parse(read('examples/pipelines/gitlab.yml'))])
      expectAdmitted(ofPipeline, document);
    expect(ofPipeline?.({ ...included, extra: { script: ['true'], when: 'sometimes' } })).toBe(false);
  });

  test('uses each of its inputs, and no other', () => {
    const used = new Set(
      [...read('templates/sluice.yml').matchAll(/\$\[\[ inputs\.([\w-]+) \]\]/g)].map(([, name]) => name),
    );
    expect([...used].sort()).toEqual(Object.keys((head as { spec?: { inputs: object } }).spec?.inputs ?? {}).sort());
  });

  test('has a job to plan, to save a snapshot, to apply and to look for drift; one apply at a time', () => {
    expect(Object.keys(jobs ?? {})).toEqual(
      ['plan', 'snapshot', 'apply', 'drift'].map((job) => `$[[ inputs.name ]]:${job}`),
    );
    const apply = (jobs as Readonly<Record<string, unknown>>)['$[[ inputs.name ]]:apply'];
    expect(apply).toMatchObject({ resource_group: '$[[ inputs.name ]]' });
  });
});

test('the pre-commit hooks have what pre-commit requires', () => {
  const hooks = parse(read('.pre-commit-hooks.yaml')) as Readonly<Record<string, unknown>>[];
  for (const hook of hooks)
    expect(hook).toMatchObject({
      id: expect.any(String) as string,
      name: expect.any(String) as string,
      entry: expect.stringMatching(/^sluice /) as string,
      language: 'system',
      pass_filenames: false,
    });
  const used = parse(read('examples/pipelines/pre-commit.yaml')) as { repos: { hooks: { id: string }[] }[] };
  expect(used.repos[0]?.hooks.map(({ id }) => id)).toEqual(hooks.map(({ id }) => id));
});

describe.each(['github.yml', 'github-reviewed.yml'])('the example workflow %s', (name) => {
  const file = `examples/pipelines/${name}`;
  const text = read(file);
  const { jobs } = parse(text) as {
    jobs: Record<string, { permissions: object; steps: { uses?: string; with?: Record<string, string> }[] }>;
  };
  const action = parse(read('action.yml')) as Action;

  test('passes inputs that the action has, and all that it requires', () => {
    const required = Object.entries(action.inputs).flatMap(([name, input]) => (input.required === true ? [name] : []));
    for (const { steps } of Object.values(jobs)) {
      const { with: inputs = {} } = steps.find(({ uses }) => uses?.startsWith('example/sluice@')) ?? {};
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)));
      expect(Object.keys(inputs)).toEqual(expect.arrayContaining(required));
    }
  });

  test('gives each job the least permissions', () => {
    for (const [job, { permissions }] of Object.entries(jobs))
      expect(permissions).toEqual({ contents: 'read', ...(job === 'plan' ? { 'pull-requests': 'write' } : {}) });
    expect(text).toContain('\npermissions: {}\n');
  });

  test.skipIf(actionlint !== '')(`passes actionlint${actionlint ?? ''}`, () => {
    expect(spawnSync('actionlint', ['-no-color', file], { encoding: 'utf8' }).stdout).toBe('');
  });
});

test('the example workflows name every action by a full commit, with its version beside it', () => {
  const names = readdirSync('examples/pipelines').filter((name) => name.startsWith('github'));
  const used = names.flatMap((name) => [...read(join('examples/pipelines', name)).matchAll(/\buses: (.*)/g)]);
  expect(used.length).toBeGreaterThan(15);
  for (const [, name] of used) expect(name).toMatch(/^(example\/sluice@COMMIT|[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/);
});

test.skipIf(actionlint !== '')(`the workflows for forks pass actionlint${actionlint ?? ''}`, () => {
  const files = ['github-forks.yml', 'github-forks-comment.yml'].map((name) => join('examples/pipelines', name));
  expect(spawnSync('actionlint', ['-no-color', ...files], { encoding: 'utf8' }).stdout).toBe('');
});

test.skipIf(shellcheck !== '')(`shellcheck finds nothing in the scripts${shellcheck ?? ''}`, () => {
  const scripts = ['action', 'scripts'].flatMap((dir) =>
    readdirSync(dir)
      .filter((name) => name.endsWith('.sh'))
      .map((name) => join(dir, name)),
  );
  expect(spawnSync('shellcheck', scripts, { encoding: 'utf8' }).stdout).toBe('');
  for (const { script } of Object.values(componentJobs('templates/sluice.yml', { image: 'x', 'base-url': 'x' }))) {
    const input = `#!/bin/sh\n${script.join('\n')}`;
    expect(spawnSync('shellcheck', ['-'], { encoding: 'utf8', input }).stdout).toBe('');
  }
});
