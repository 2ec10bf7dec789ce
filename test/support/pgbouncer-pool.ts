import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { skippedWithout } from './skipped-without.ts';
import { freePort, type PostgresServer } from './postgres-server.ts';
import { untilListening } from './until-listening.ts';

/** What the names of tests end in that need pgbouncer: nothing where it is installed. */
export const withoutPgbouncer = skippedWithout('pgbouncer', spawnSync('pgbouncer', ['--version']).status === 0);

/** A pooler in transaction mode in front of a server: few connections that clients share. Anybody may connect, or the users given with their passwords. */
export async function startPgbouncer(
  { port: target, url }: PostgresServer,
  users?: Readonly<Record<string, string>>,
): Promise<{
  readonly url: string;
  readonly stop: () => Promise<void>;
}> {
  const dir = mkdtempSync('/tmp/sluice-pgbouncer-');
  const port = await freePort();
  const { username, password } = new URL(url);
  const config = join(dir, 'pgbouncer.ini');
  const userFile = join(dir, 'users');
  writeFileSync(
    config,
    `[databases]
postgres = host=127.0.0.1 port=${target} dbname=postgres user=${username} password='${decodeURIComponent(password)}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
${users === undefined ? 'auth_type = any' : `auth_type = scram-sha-256\nauth_file = ${userFile}`}
pool_mode = transaction
default_pool_size = 3
max_client_conn = 200
`,
  );
  const lines = Object.entries(users ?? {}).map(([user, word]) => `"${user}" "${word}"\n`);
  writeFileSync(userFile, lines.join(''));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const path of [dir, config, userFile]) chownSync(path, 65_534, 65_534);
  const child = spawn('pgbouncer', [...(isRoot ? ['-u', 'nobody'] : []), config], { cwd: dir, stdio: 'ignore' });
  await untilListening(port);
  return {
    url: `postgresql://any:any@127.0.0.1:${port}/postgres`,
    stop: async () => {
      const over = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await over;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
