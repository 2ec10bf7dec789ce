import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { skippedWithout } from '../support/skipped-without.ts';

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const read = (file: string): string => readFileSync(file, 'utf8');
const [shellcheck, actionlint] = ['shellcheck', 'actionlint'].map((name) => skippedWithout(name, has(name)));

interface Action {
  readonly inputs: Readonly<
    Record<string, { readonly description: string; readonly required?: boolean; readonly default?: string }>
  >;
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Readonly<Record<string, unknown>>[] };
}

describe('action.yml', () => {
  const action = parse(read('action.yml')) as Action;

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

  test('uses each of its inputs, and no other', () => {
    const used = new Set(
      [...read('templates/sluice.yml').matchAll(/\$\[\[ inputs\.([\w-]+) \]\]/g)].map(([, name]) => name),
    );
    expect([...used].sort()).toEqual(Object.keys((head as { spec?: { inputs: object } }).spec?.inputs ?? {}).sort());
  });

  test('has a job to plan, to apply and to look for drift; one apply at a time', () => {
    expect(Object.keys(jobs ?? {})).toEqual(['plan', 'apply', 'drift'].map((job) => `$[[ inputs.name ]]:${job}`));
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

describe('the example workflow', () => {
  const text = read('examples/pipelines/github.yml');
  const { jobs } = parse(text) as {
    jobs: Record<string, { permissions: object; steps: { uses?: string; with?: Record<string, string> }[] }>;
  };
  const action = parse(read('action.yml')) as Action;

  test('passes inputs that the action has, and all that it requires', () => {
    const calls = Object.values(jobs).flatMap(({ steps }) =>
      steps.filter(({ uses }) => uses?.startsWith('example/sluice@')),
    );
    expect(calls).toHaveLength(3);
    const required = Object.entries(action.inputs).flatMap(([name, input]) => (input.required === true ? [name] : []));
    for (const { with: inputs = {} } of calls) {
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)));
      expect(Object.keys(inputs)).toEqual(expect.arrayContaining(required));
    }
  });

  test('gives each job the least permissions', () => {
    const permissions = Object.entries(jobs).map(([name, job]) => [name, job.permissions]);
    expect(Object.fromEntries(permissions)).toEqual({
      plan: { contents: 'read', 'pull-requests': 'write' },
      apply: { contents: 'read' },
      drift: { contents: 'read' },
    });
    expect(text).toContain('\npermissions: {}\n');
  });

  test.skipIf(actionlint !== '')(`passes actionlint${actionlint ?? ''}`, () => {
    expect(spawnSync('actionlint', ['-no-color', 'examples/pipelines/github.yml'], { encoding: 'utf8' }).stdout).toBe(
      '',
    );
  });
});

test.skipIf(shellcheck !== '')(`shellcheck finds nothing in the scripts${shellcheck ?? ''}`, () => {
  const scripts = readdirSync('action')
    .filter((name) => name.endsWith('.sh'))
    .map((name) => join('action', name));
  expect(spawnSync('shellcheck', scripts, { encoding: 'utf8' }).stdout).toBe('');
  const [, jobs] = parseAllDocuments(read('templates/sluice.yml')).map((one) => one.toJS() as unknown);
  for (const { script } of Object.values(jobs as Record<string, { script: string[] }>)) {
    const input = `#!/bin/sh\n${script.join('\n').replace(/\$\[\[ inputs\.[\w-]+ \]\]/g, 'x')}`;
    expect(spawnSync('shellcheck', ['-'], { encoding: 'utf8', input }).stdout).toBe('');
  }
});
