// Manages the company in examples/ as a user would: the built program, real HTTP, an emulator on loopback.
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = resolve(root, 'dist/sluice.js');
const commandLimit = 120_000;
const families = [
  'HTTPSEdge',
  'CertificateAuthority',
  'AgentIngress',
  'SSHHostCertificate',
  'ReservedAddr',
  'EventSubscription',
];

const running = new Set();
const folder = await mkdtemp(join(tmpdir(), 'sluice-demo-'));
const stack = join(folder, 'company');
const environment = {
  // Drops the SLUICE_ variables of the shell, so that the demo never reaches a real account.
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SLUICE_'))),
  SLUICE_API_KEY: 'demo',
  DEPLOY_WEBHOOK_SECRET: 'only-for-the-demo-1',
  SHOP_GITHUB_CLIENT_SECRET: 'only-for-the-demo-2',
  SHOP_OIDC_CLIENT_SECRET: 'only-for-the-demo-3',
};
let stopped;

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.once(signal, () => {
    stopped = code;
    void cleanUp().then(() => process.exit(code));
  });

// A closed reader, as after `demo | head`: clean up as well.
process.stdout.on('error', () => {
  stopped = 1;
  void cleanUp().then(() => process.exit(1));
});

try {
  await runDemo();
  await cleanUp();
  heading('Done. The emulator is stopped and the copy of the examples is deleted.');
} catch (error) {
  await cleanUp();
  if (stopped === undefined) console.error(`\ndemo failed: ${error.message}`);
  process.exitCode = stopped ?? 1;
}

async function runDemo() {
  await cp(join(root, 'examples/company'), stack, { recursive: true });

  heading('Start the emulator in a separate process');
  environment.SLUICE_BASE_URL = await startEmulator();

  heading('Plan: show the required changes (exit code 2: changes are pending)');
  await sluice(['plan', '--detailed-exitcode'], 2);

  heading('Apply the changes');
  await runSummarized(['apply', '--auto-approve'], 'the plan is the one above');

  heading('Plan again: no changes (exit code 0)');
  await sluice(['plan', '--detailed-exitcode'], 0);

  heading('Edit a manifest: a second email domain may sign in, and the edge gets a new description');
  await edit('manifests/shop.yaml', [
    ['description: Public shop', 'description: Public shop, now in Dutch too'],
    ['google: {email_domains: [example.com]}', 'google: {email_domains: [example.com, example.nl]}'],
  ]);
  await sluice(['plan', '--detailed-exitcode'], 2);
  await runSummarized(['apply', '--auto-approve'], 'the plan is the one above');

  heading('Destroy the stack: refused, because the reserved addresses are protected (exit code 3)');
  await sluice(['destroy', '--auto-approve'], 3);

  heading('Remove the protection: a change like any other');
  await edit('sluice.yaml', [
    [
      'policy: {max_deletes: 25%}',
      [
        'policy: {max_deletes: 25%}',
        'patches:',
        ...['mqtt-eu', 'mqtt-us'].flatMap((name) => [
          `  - target: {kind: ReservedAddr, name: ${name}}`,
          '    patch: [{op: add, path: /lifecycle, value: {protect: false}}]',
        ]),
      ].join('\n'),
    ],
  ]);
  await sluice(['plan', '--detailed-exitcode'], 2);
  await runSummarized(['apply', '--auto-approve'], 'the plan is the one above');

  heading('Destroy the stack');
  await runSummarized(['destroy', '--auto-approve'], 'the plan is the one above');

  heading('Check that the account is empty');
  for (const kind of families) {
    const found = await captured(['get', kind], 0);
    process.stdout.write(found);
    if (!found.startsWith(`No ${kind} `)) throw new Error(`the account still contains a ${kind}`);
  }
}

/** Runs one command on this terminal, and requires its exit code. */
async function sluice(args, expected) {
  announce(args);
  requireExitCode(args, await ending(start(args, 'inherit'), commandLimit), expected);
}

/** Runs a command that applies a plan shown before: prints its progress and the last line of its output. */
async function runSummarized(args, reason) {
  const result = await captured(args, 0, `   (output omitted: ${reason})`);
  console.log(result.trimEnd().split('\n').at(-1));
}

/** Runs one command and returns its output, which is printed only if the exit code is not the expected one. */
async function captured(args, expected, remark = '') {
  announce(args, remark);
  const child = start(args, ['inherit', 'pipe', 'inherit']);
  const [code, result] = await Promise.all([ending(child, commandLimit), text(child.stdout)]);
  if (code !== expected) process.stdout.write(result);
  requireExitCode(args, code, expected);
  return result;
}

function announce(args, remark = '') {
  console.log(dim(`\n$ sluice ${args.join(' ')}${remark}`));
}

function requireExitCode(args, code, expected) {
  if (code !== expected) throw new Error(`sluice ${args.join(' ')} exited with ${code}; expected ${expected}`);
}

/** Starts the emulator and returns its base URL, the first line it prints. */
async function startEmulator() {
  const args = ['emulator', '--port', '0'];
  announce([...args, '&']);
  const emulator = start(args, ['ignore', 'pipe', 'inherit'], { SLUICE_LOG: 'error' });
  const ended = ending(emulator, undefined).then((code) => {
    throw new Error(`the emulator exited with ${code} before it printed its URL`);
  });
  const firstLine = new Promise((done) => createInterface({ input: emulator.stdout }).once('line', done));
  const line = await Promise.race([firstLine, ended]);
  ended.catch(() => undefined);
  console.log(line);
  return new URL(line).href.replace(/\/$/, '');
}

/** Replaces texts in a file of the copy, each of which must occur once, and prints the lines that differ. */
async function edit(file, replacements) {
  const path = join(stack, file);
  const before = await readFile(path, 'utf8');
  let after = before;
  for (const [from, to] of replacements) {
    if (after.split(from).length !== 2) throw new Error(`${file} should contain ${JSON.stringify(from)} exactly once`);
    after = after.replace(from, () => to);
  }
  await writeFile(path, after);
  console.log(`\n${file}`);
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  for (const [index, line] of old.entries()) if (!fresh.includes(line)) console.log(red(`${at(index)} - ${line}`));
  for (const [index, line] of fresh.entries()) if (!old.includes(line)) console.log(green(`${at(index)} + ${line}`));
}

function start(args, stdio, more = {}) {
  const child = spawn(process.execPath, [program, ...args], { cwd: stack, env: { ...environment, ...more }, stdio });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** The exit code of a program, which is killed after a time limit. */
function ending(child, limit) {
  return new Promise((done, fail) => {
    const timer = limit === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), limit);
    child.once('error', fail);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      done(code ?? signal);
    });
  });
}

/** Stops every program started here, and deletes the copy. */
async function cleanUp() {
  await Promise.all(
    [...running].map(async (child) => {
      child.kill('SIGTERM');
      const exited = ending(child, 5_000);
      if (child.exitCode === null && child.signalCode === null) await exited;
    }),
  );
  await rm(folder, { recursive: true, force: true });
}

function heading(text) {
  console.log(`\n${bold(`== ${text}`)}`);
}

function at(index) {
  return String(index + 1).padStart(4);
}

function paint(code, words) {
  return process.stdout.isTTY && process.env.NO_COLOR === undefined ? `\u{1b}[${code}m${words}\u{1b}[0m` : words;
}
function bold(words) {
  return paint(1, words);
}
function dim(words) {
  return paint(2, words);
}
function red(words) {
  return paint(31, words);
}
function green(words) {
  return paint(32, words);
}
