// Where a demo runs: a directory of its own, the built program, a terminal; and what it does there.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = resolve(root, 'dist/sluice.js');
const commandLimitMs = 120_000;
const pauseMs = 1500;

/** Runs a demo in a new directory, and stops and deletes all that it made, however it ends. */
export async function onStage(play) {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-demo-'));
  const stage = new Stage(join(folder, 'shop'), folder);
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])
    process.once(signal, () => void stage.stop(code));
  // A closed reader, as after `demo | head`: clean up as well.
  process.stdout.on('error', () => void stage.stop(1));
  try {
    await play(stage);
    await stage.cleanUp();
  } catch (error) {
    await stage.cleanUp();
    if (!stage.isStopped) console.error(`\ndemo failed: ${error.message}`);
    process.exitCode = 1;
  }
}

class Stage {
  isStopped = false;
  #running = new Set();
  #folder;
  // Drops the SLUICE_ variables of the shell, so that a demo never reaches a real account.
  environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SLUICE_')));

  constructor(stack, folder) {
    this.stack = stack;
    this.#folder = folder;
  }

  /** A heading, and time to read what stands above it where somebody reads. */
  async heading(words) {
    if (process.stdout.isTTY) await sleep(pauseMs);
    console.log(`\n${bold(`== ${words}`)}`);
  }

  /** Runs one command on this terminal, and requires its exit code. */
  async sluice(args, expected) {
    announce(args);
    requireExitCode(args, await this.#ending(this.#start(args, 'inherit'), commandLimitMs), expected);
  }

  /** Runs a command that applies a plan shown before: prints its progress and the last line of its output. */
  async summary(args) {
    const result = await this.captured(args, 0, '   # the plan above');
    console.log(result.trimEnd().split('\n').at(-1));
  }

  /** Runs one command and returns its output, which is printed only if the exit code is not the expected one. */
  async captured(args, expected, remark = '') {
    announce(args, remark);
    const child = this.#start(args, ['inherit', 'pipe', 'inherit']);
    const [code, result] = await Promise.all([this.#ending(child, commandLimitMs), text(child.stdout)]);
    if (code !== expected) process.stdout.write(result);
    requireExitCode(args, code, expected);
    return result;
  }

  /** Starts the emulator and returns its base URL, the first line it prints. */
  async emulator() {
    const args = ['emulator', '--port', '0'];
    announce([...args, '&']);
    const emulator = this.#start(args, ['ignore', 'pipe', 'inherit'], { SLUICE_LOG: 'error' });
    const ended = this.#ending(emulator, undefined).then((code) => {
      throw new Error(`the emulator exited with ${code} before it printed its URL`);
    });
    const firstLine = new Promise((done) => createInterface({ input: emulator.stdout }).once('line', done));
    const line = await Promise.race([firstLine, ended]);
    ended.catch(() => undefined);
    console.log(line);
    return new URL(line).href.replace(/\/$/, '');
  }

  /** Writes a file of the stack and prints it. */
  async write(file, content) {
    await writeFile(join(this.stack, file), content);
    console.log(`\n${dim(file)}\n${content.trimEnd()}`);
  }

  /** Replaces texts in a file of the stack, each of which must occur once, and prints the lines that differ. */
  async edit(file, replacements) {
    const path = join(this.stack, file);
    const before = await readFile(path, 'utf8');
    let after = before;
    for (const [from, to] of replacements) {
      if (after.split(from).length !== 2)
        throw new Error(`${file} should contain ${JSON.stringify(from)} exactly once`);
      after = after.replace(from, () => to);
    }
    await writeFile(path, after);
    console.log(`\n${dim(file)}`);
    const [old, fresh] = [before.split('\n'), after.split('\n')];
    for (const [index, line] of old.entries()) if (!fresh.includes(line)) console.log(red(`${at(index)} - ${line}`));
    for (const [index, line] of fresh.entries()) if (!old.includes(line)) console.log(green(`${at(index)} + ${line}`));
  }

  /** Ends the demo early with an exit code. */
  async stop(code) {
    this.isStopped = true;
    await this.cleanUp();
    process.exit(code);
  }

  /** Stops every program started here, and deletes the directory. */
  async cleanUp() {
    await Promise.all(
      [...this.#running].map(async (child) => {
        child.kill('SIGTERM');
        const exited = this.#ending(child, 5_000);
        if (child.exitCode === null && child.signalCode === null) await exited;
      }),
    );
    await rm(this.#folder, { recursive: true, force: true });
  }

  #start(args, stdio, more = {}) {
    const env = { ...this.environment, ...more };
    const child = spawn(process.execPath, [program, ...args], { cwd: this.stack, env, stdio });
    this.#running.add(child);
    child.once('exit', () => this.#running.delete(child));
    return child;
  }

  /** The exit code of a program, which is killed after a time limit. */
  #ending(child, limitMs) {
    return new Promise((done, fail) => {
      const timer = limitMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), limitMs);
      child.once('error', fail);
      child.once('exit', (code, signal) => {
        clearTimeout(timer);
        done(code ?? signal);
      });
    });
  }
}

function announce(args, remark = '') {
  console.log(dim(`\n$ sluice ${args.join(' ')}${remark}`));
}

function requireExitCode(args, code, expected) {
  if (code !== expected) throw new Error(`sluice ${args.join(' ')} exited with ${code}; expected ${expected}`);
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
