/*
 * Planning runs no code of the stack: a repository in which everything that some tool would run or load waits for it,
 * the built program in its directory, and a record of all that was run, loaded or started.
 */
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { notBuilt, startProgram } from '../support/processes.ts';
import { company, directory, stackFile } from './terminal.ts';

/** Files that leave a mark when something runs or loads them. */
function traps(mark: string): Readonly<Record<string, string>> {
  const script = `require('node:fs').appendFileSync(${JSON.stringify(mark)}, __filename + '\\n');`;
  const module = `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(mark)}, import.meta.url + '\\n');`;
  const shell = `#!/bin/sh\necho "$0 $*" >> ${mark}\n`;
  const packages = ['yaml', 'undici', 'pg', 'zod', 'commander', 'sluice', 'sluice-plugin'];
  const commands = ['git', 'node', 'npm', 'npx', 'sh', 'bash', 'ssh', 'gpg', 'editor', 'less', 'sluice'];
  return {
    'package.json': JSON.stringify({
      name: 'stack',
      main: 'index.js',
      bin: { sluice: 'index.js' },
      scripts: Object.fromEntries(
        ['preinstall', 'postinstall', 'prepare', 'start', 'plan'].map((name) => [name, 'node index.js']),
      ),
      imports: { '#program': './index.js' },
    }),
    'index.js': script,
    'sluice.js': script,
    'sluice.cjs': script,
    'sluice.config.js': script,
    'sluice.config.mjs': module,
    '.sluicerc.js': script,
    '.pnp.cjs': script,
    '.pnp.loader.mjs': module,
    'program.cjs': script,
    'manifests/extra.js': script,
    'manifests/extra.mjs': module,
    'manifests/extra.ts': module,
    'plugins/first.js': script,
    '.sluice/plugins/first.js': script,
    '.npmrc': 'node-options=--require ./index.js\nscript-shell=./bin/sh\nignore-scripts=false\n',
    '.env': 'NODE_OPTIONS=--require ./index.js\nNODE_PATH=./node_modules\nEDITOR=./bin/editor\nLD_PRELOAD=./index.js\n',
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/config':
      '[core]\n\tfsmonitor = ./bin/git\n\tsshCommand = ./bin/ssh\n\thooksPath = .git/hooks\n[gpg]\n\tprogram = ./bin/gpg\n',
    ...Object.fromEntries(
      packages.flatMap((name) => [
        [`node_modules/${name}/package.json`, JSON.stringify({ name, version: '99.0.0', main: 'index.js' })],
        [`node_modules/${name}/index.js`, script],
      ]),
    ),
    ...Object.fromEntries(
      ['post-checkout', 'post-merge', 'pre-commit', 'reference-transaction'].map((name) => [
        `.git/hooks/${name}`,
        shell,
      ]),
    ),
    ...Object.fromEntries(commands.map((name) => [`bin/${name}`, shell])),
  };
}

/** Loaded before the program: marks every process and thread that it starts, and every native library that it loads. */
function recorder(mark: string): string {
  return `
const { appendFileSync } = require('node:fs');
const processes = require('node:child_process');
const threads = require('node:worker_threads');
const marked = (name, real) => function (...args) {
  appendFileSync(${JSON.stringify(mark)}, name + '\\n');
  return Reflect.apply(real, this, args);
};
processes.ChildProcess.prototype.spawn = marked('a process', processes.ChildProcess.prototype.spawn);
for (const name of ['spawnSync', 'execSync', 'execFileSync']) processes[name] = marked(name, processes[name]);
process.dlopen = marked('a native library', process.dlopen);
threads.Worker = class extends threads.Worker {
  constructor(...args) {
    appendFileSync(${JSON.stringify(mark)}, 'a thread\\n');
    super(...args);
  }
};
`;
}

async function stackWithTraps(files: Readonly<Record<string, string>>) {
  const outside = await directory({ ran: '' });
  const mark = join(outside, 'ran');
  await writeFile(join(outside, 'recorder.cjs'), recorder(mark));
  const dir = await directory({
    'manifests/company.yaml': company,
    'sluice.yaml': `${stackFile}secrets: {env_files: [.env]}\n`,
  });
  for (const [name, text] of Object.entries({ ...traps(mark), ...files })) {
    await mkdir(dirname(join(dir, name)), { recursive: true });
    await writeFile(join(dir, name), text);
    if (/^(bin|\.git\/hooks)\//.test(name)) await chmod(join(dir, name), 0o755);
  }
  const env = {
    SLUICE_API_KEY: 'key',
    PATH: `${join(dir, 'bin')}:${process.env['PATH'] ?? ''}`,
    NODE_OPTIONS: `--require ${join(outside, 'recorder.cjs')}`,
  };
  const run = (line: string) => startProgram(dir, line.split(' '), env).ended;
  const careless = (code: string) => spawnSync(process.execPath, ['-e', code], { cwd: dir, env });
  return { run, careless, ran: () => readFile(mark, 'utf8') };
}

const name = `runs no code of the stack${notBuilt}`;

describe.skipIf(notBuilt !== '')('planning', () => {
  test(name, async () => {
    const { run, ran } = await stackWithTraps({});
    for (const line of [
      'validate',
      'plan',
      'plan --verify --out saved.json',
      'show saved.json',
      'plan --destroy',
      'export --all',
    ])
      expect(await run(line)).toMatchObject({ code: 0 });
    expect(await ran()).toBe('');
  });

  test.each([
    ["require('pg')", '/node_modules/pg/index.js'],
    ["import('./manifests/extra.mjs')", '/manifests/extra.mjs'],
    ["require('node:child_process').execFileSync('git', ['status'])", '/bin/git status'],
    ["require('node:child_process').exec('true')", 'a process'],
    ["new (require('node:worker_threads').Worker)('0', { eval: true })", 'a thread'],
  ])(`a program that did %s would be noticed${notBuilt}`, async (code, mark) => {
    const { careless, ran } = await stackWithTraps({});
    careless(code);
    expect(await ran()).toContain(mark);
  });

  test.each([
    [
      'a tag of functions in sluice.yaml',
      { 'sluice.yaml': `${stackFile}x: !!js/function 'function () { process.exit(42) }'\n` },
      'UNSUPPORTED_YAML_TAG',
    ],
    [
      'a tag of modules in a manifest',
      { 'manifests/company.yaml': company.replace('Sensors', "!!js/require './index.js'") },
      'UNSUPPORTED_YAML_TAG',
    ],
    [
      'a tag of other languages',
      { 'manifests/company.yaml': company.replace('Sensors', '!!python/object/apply:os.system [./bin/sh]') },
      'UNSUPPORTED_YAML_TAG',
    ],
    ['an include', { 'sluice.yaml': `${stackFile}patches: !include ./index.js\n` }, 'UNSUPPORTED_YAML_TAG'],
    [
      'a merge into the prototype',
      { 'manifests/company.yaml': company.replace('spec: {region', 'spec: {<<: {__proto__: {toString: x}}, region') },
      'error[',
    ],
    ['a constructor', { 'sluice.yaml': `${stackFile}constructor: {prototype: {then: ./index.js}}\n` }, 'error['],
    [
      'a command as manifest',
      { 'sluice.yaml': stackFile.replace('[manifests]', "['| ./bin/sh', '$(./bin/sh)', manifests/extra.js]") },
      'error[',
    ],
    [
      'settings of Node',
      { 'sluice.yaml': `${stackFile}plugins: [./plugins/first.js]\nnode_options: --require ./index.js\n` },
      'error[',
    ],
  ])(`%s is refused, and ${name}`, async (_, files, code) => {
    const { run, ran } = await stackWithTraps(files);
    const ended = await run('plan');
    expect(ended).toMatchObject({ code: 8, err: expect.stringContaining(code) as string });
    expect(await ran()).toBe('');
  });
});
