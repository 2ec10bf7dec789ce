import { createServer } from 'node:net';
import { startPostgres, withoutPostgres } from '../support/postgres-server.ts';

/** The database of the operator, in which attacked stacks may keep their state, and one that nobody may log in to. */
export interface AttackedDatabase {
  readonly url: string;
  /** Where every connection is noticed. */
  readonly foreignUrl: string;
  /** What has happened since the last time: every row that is stored, and connections to the wrong database. At the end, all rows go. */
  readonly inspected: (isOver: boolean) => Promise<{ readonly rows: string; readonly strayed: number }>;
  readonly stop: () => Promise<void>;
}

/** The password of both databases. */
export const databasePassword = 'kanariDatabasezwitschert';

/** Starts the two for many attacks; undefined where PostgreSQL is not installed. */
export async function attackedDatabase(): Promise<AttackedDatabase | undefined> {
  if (withoutPostgres !== '') return undefined;
  const server = await startPostgres();
  await server.run(`CREATE ROLE company LOGIN SUPERUSER PASSWORD '${databasePassword}'`);
  await server.run(
    'CREATE SCHEMA sluice; CREATE TABLE sluice.sluice_objects (name text PRIMARY KEY, version text NOT NULL, bytes bytea NOT NULL)',
  );
  let strayed = 0;
  const foreign = createServer((socket) => {
    strayed++;
    socket.destroy();
  });
  const foreignPort = await new Promise<number>((resolve) => {
    foreign.listen(0, '127.0.0.1', () => {
      const address = foreign.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  return {
    url: server.urlOf('company', databasePassword),
    foreignUrl: `postgresql://ci:${databasePassword}@127.0.0.1:${String(foreignPort)}/ci`,
    inspected: async (isOver) => {
      const rows = await server.run("SELECT name, encode(bytes, 'escape') AS text FROM sluice.sluice_objects");
      if (isOver) await server.run('DELETE FROM sluice.sluice_objects');
      const seen = { rows: rows.map(({ name, text }) => `${String(name)} ${String(text)}`).join('\n'), strayed };
      strayed = 0;
      return seen;
    },
    stop: async () => {
      foreign.close();
      await server.stop();
    },
  };
}
