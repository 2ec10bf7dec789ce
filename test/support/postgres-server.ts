import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import Client from 'pg/lib/client.js';
import { skippedWithout } from './skipped-without.ts';

/** A PostgreSQL of the machine that runs for a test. */
export interface PostgresServer {
  readonly port: number;
  readonly url: string;
  /** The same for another role or database. */
  readonly urlOf: (user: string, password: string, database?: string) => string;
  /** Runs SQL as the superuser. */
  readonly run: (statements: string) => Promise<readonly Record<string, unknown>[]>;
  /** Ends it at once, as when its machine fails; then `restart`. */
  readonly crash: () => Promise<void>;
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

// Debian keeps the programs of a server out of the PATH.
const bin = ((): string | undefined => {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [...versions.map((version) => join(root, version, 'bin')), ...(process.env['PATH'] ?? '').split(':')];
  return places.find((place) => place !== '' && existsSync(join(place, 'initdb')));
})();

/** What the names of tests end in that need PostgreSQL: nothing where it is installed. */
export const withoutPostgres = skippedWithout('PostgreSQL', bin !== undefined);

/** The same for tests that need a replica. */
export const withoutReplica = skippedWithout(
  'pg_basebackup of PostgreSQL',
  bin !== undefined && existsSync(join(bin, 'pg_basebackup')),
);

// PostgreSQL refuses to run as root.
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const password = 'p@ss word';

/** Where a PostgreSQL comes from, and where it is. */
export interface PostgresOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** The port of the server whose asynchronous replica it is; else it begins with an empty database. */
  readonly replicaOf?: number;
  /** The folder below which its files are. */
  readonly root?: string;
  /** The folder below which its write-ahead log is; else it is with the other files. */
  readonly logRoot?: string;
}

/** Starts a PostgreSQL; its settings are those a user would have. */
export async function startPostgres({
  settings = {},
  replicaOf,
  root,
  logRoot,
}: PostgresOptions = {}): Promise<PostgresServer> {
  if (bin === undefined) throw new Error('PostgreSQL is not installed');
  const dir = folderOf('server', root);
  const data = join(dir, 'data');
  if (replicaOf === undefined) await finish('cp', ['-r', '--preserve=mode', emptyCluster(bin), data]);
  else await finish(join(bin, 'pg_basebackup'), ['-D', data, '-R', '-c', 'fast', '--no-sync', '-d', urlAt(replicaOf)]);
  if (logRoot !== undefined) {
    const log = join(data, 'pg_wal');
    await finish('mv', [log, logRoot]);
    symlinkSync(join(logRoot, 'pg_wal'), log);
  }
  const port = await freePort();
  const urlOf = (user: string, word: string, database?: string): string => urlAt(port, user, word, database);
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const usual = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=200'];
    child = spawn(join(bin ?? '', 'postgres'), ['-D', data, '-p', String(port), ...usual, ...options], {
      ...nobody,
      cwd: dir,
      stdio: 'ignore',
    });
    for (let tries = 0; tries < 2_400; tries++) {
      try {
        await run('SELECT 1');
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    throw new Error('PostgreSQL does not start');
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ended = child;
    child = undefined;
    if (ended === undefined || ended.exitCode !== null) return;
    const over = new Promise((resolve) => ended.once('exit', resolve));
    ended.kill(signal);
    await over;
  }

  async function run(statements: string): Promise<readonly Record<string, unknown>[]> {
    const client = new Client({ connectionString: urlOf('sluice', password) }).on('error', () => undefined);
    try {
      await client.connect();
      const results = await client.query(statements);
      return [results].flat().at(-1)?.rows ?? [];
    } finally {
      await client.end();
    }
  }

  await start();
  return {
    port,
    url: urlOf('sluice', password),
    urlOf,
    run,
    // Its own processes notice that it is gone, and end.
    crash: () => end('SIGQUIT'),
    restart: start,
    stop: async () => {
      await end('SIGQUIT');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function urlAt(port: number, user = 'sluice', word = password, database = 'postgres'): string {
  return `postgresql://${user}:${encodeURIComponent(word)}@127.0.0.1:${port}/${database}`;
}

/** Runs a program that makes files, without blocking what it may talk to in this process. */
async function finish(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { ...nobody, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`the files of a database cannot be made: ${err}`);
}

/** The files of a database in which there is nothing yet. Making them takes seconds, so all servers of this machine copy them. */
function emptyCluster(binaries: string): string {
  const cluster = `/tmp/sluice-postgres-empty-${binaries.replaceAll('/', '-')}-${process.getuid?.() ?? 0}`;
  if (existsSync(cluster)) return cluster;
  const dir = folderOf('initdb');
  const secret = join(dir, 'password');
  writeFileSync(secret, password, { mode: 0o644 });
  const data = join(dir, 'data');
  const made = spawnSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'sluice', '-A', 'scram-sha-256', `--pwfile=${secret}`, '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...nobody, cwd: dir, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  try {
    renameSync(data, cluster);
  } catch (error) {
    // Another test was faster.
    if (!existsSync(cluster)) throw error;
  }
  rmSync(dir, { recursive: true, force: true });
  return cluster;
}

function folderOf(what: string, root = '/tmp'): string {
  const dir = mkdtempSync(join(root, `sluice-postgres-${what}-`));
  if (nobody.uid !== undefined) chownSync(dir, nobody.uid, nobody.gid);
  return dir;
}

let asked = 0;

/** A port that nobody listens on, below those that systems give to whoever names none: nobody else gets it before it is used. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 1_000; tries++) {
    const port = 10_000 + ((process.pid * 16 + asked++) % 20_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((closed) => server.close(closed));
    if (isFree) return port;
  }
  throw new Error('no port is free');
}
