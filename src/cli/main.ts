import about from '../../package.json' with { type: 'json' };
import type { Io } from './io.ts';
import { outliveReaders } from './output/outlive-readers.ts';
import { run } from './run.ts';

// The only file that gives the process to a command. Everything else gets an Io and is evaluated when it is needed.

const graceMs = 5_000;

void main();

async function main(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2), processIo(), about.version);
  exitSoon();
}

// What a command has left open, such as a connection to a database that has stopped answering, does not keep the process. The driver of PostgreSQL,
// if it is ended while it connects, leaves a socket open until the server closes it, after a minute by default.
function exitSoon(): void {
  const { stdout, stderr } = process;
  setTimeout(() => {
    if (stdout.writableLength + stderr.writableLength === 0) process.exit();
    // Somebody is still reading.
    exitSoon();
  }, graceMs).unref();
}

function processIo(): Io {
  const { stdin, stdout, stderr } = process;
  const { controller: interrupted, carryThrough } = interruption();
  const errors = batched((text) => void stderr.write(text));
  outliveReaders(process);
  return {
    cwd: process.cwd(),
    env: process.env,
    out: (text) => {
      errors.flush();
      stdout.write(text);
    },
    err: errors.write,
    stdin: async (most) => {
      const { fileBytes } = await import('../files/safe-file.ts');
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of stdin) {
        chunks.push(Buffer.from(chunk as Uint8Array));
        // Longer input is refused in any case.
        if ((bytes += (chunk as Uint8Array).length) > (most ?? fileBytes)) break;
      }
      return Buffer.concat(chunks);
    },
    terminal: {
      in: stdin.isTTY,
      out: stdout.isTTY,
      err: stderr.isTTY,
      // A terminal without a size reports zero columns.
      ...(stdout.isTTY && stdout.columns > 0 ? { columns: stdout.columns } : {}),
    },
    ask: async (question) => {
      errors.flush();
      const { createInterface } = await import('node:readline/promises');
      const terminal = createInterface({ input: stdin, output: stderr });
      terminal.on('SIGINT', () => interrupted.abort());
      const closed = new Promise<string>((answer) => terminal.once('close', () => answer('')));
      try {
        return await Promise.race([terminal.question(question, { signal: interrupted.signal }), closed]);
      } finally {
        terminal.close();
      }
    },
    signal: interrupted.signal,
    carryThrough,
  };
}

// Batches lines that arrive at nearly the same time into one write, so that progress of a thousand changes does not delay them.
function batched(write: (text: string) => void): { readonly write: typeof write; readonly flush: () => void } {
  let waiting = '';
  const flush = (): void => {
    if (waiting !== '') write(waiting);
    waiting = '';
  };
  process.once('exit', flush);
  return {
    write: (text) => {
      if (waiting === '') setTimeout(flush, 10).unref();
      waiting += text;
    },
    flush,
  };
}

// The signal of one Ctrl-C may arrive twice: from the terminal, and from npx, timeout or another parent that passes it on.
const sameInterruptMs = 500;

// The first Ctrl-C stops the command gracefully, a second one kills it. A lost terminal stops commands gracefully as
// well, except for work that must be completed, which continues without a terminal.
function interruption(): {
  readonly controller: AbortController;
  readonly carryThrough: NonNullable<Io['carryThrough']>;
} {
  const controller = new AbortController();
  let carried = 0;
  let first: number | undefined;
  controller.signal.addEventListener('abort', () => {
    first = performance.now();
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (first !== undefined && performance.now() - first > sameInterruptMs) process.exit(130);
      controller.abort();
    });
  process.on('SIGHUP', () => {
    if (carried === 0) controller.abort();
  });
  return {
    controller,
    carryThrough: async (work) => {
      carried += 1;
      try {
        return await work();
      } finally {
        carried -= 1;
      }
    },
  };
}
