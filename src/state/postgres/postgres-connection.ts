import { Socket } from 'node:net';
import Client from 'pg/lib/client.js';
import type { PostgresAddress } from './postgres-address.ts';
import { errorEndings } from './postgres-errors.ts';

/** What a statement returns: each value as the text that the server sends. */
export type Rows = readonly Readonly<Record<string, string | null>>[];

/** One connection to a database, which is made when it is first used. */
export interface PostgresConnection {
  /** By whose credentials it is made. */
  readonly address: PostgresAddress;
  /** Sends statements as one message, and returns the rows of the last. Only one at a time. */
  readonly send: (statements: string) => Promise<Rows>;
  readonly isOpen: () => boolean;
  /** Says goodbye to the server. */
  readonly end: () => Promise<void>;
  /** Ends it at once, whatever it does. */
  readonly destroy: () => void;
}

// The code with it is that of a server that is given an empty password.
const noPassword = 'the server asks for a password, and the URL has none';

// Of the hash of a password. PostgreSQL has 4,096 unless configured otherwise; as many as this take half a second.
const mostIterations = 1_000_000;

/** Prepares a connection to a database. */
export function postgresConnection(address: PostgresAddress, authorities?: readonly string[]): PostgresConnection {
  const socket = new Socket();
  let connecting: Promise<void> | undefined;
  let isOpen = true;
  let isAsked = false;
  const client = clientOver(socket, address, authorities, () => {
    isAsked = true;
  });
  const lost = (): void => {
    isOpen = false;
  };
  socket.on('close', lost);
  // Also where nothing is asked: without a listener, an error ends the process.
  client.on('error', lost);
  survive(client, lost);

  function destroy(): void {
    lost();
    socket.destroy();
  }

  async function connect(): Promise<void> {
    try {
      await client.connect();
    } catch (error) {
      const why = inPlainWords(error, isOpen);
      // Unless it is asked for in clear, the driver sends no empty password.
      const isRefused = isOpen && isAsked && address.password === '' && codeOf(error) === undefined;
      destroy();
      throw isRefused ? Object.assign(new Error(noPassword), { code: '28P01' }) : why;
    }
  }

  return {
    address,
    send: async (statements) => {
      await (connecting ??= connect());
      try {
        const results = await client.query(statements);
        return [results].flat().at(-1)?.rows ?? [];
      } catch (error) {
        throw inPlainWords(error, isOpen);
      }
    },
    isOpen: () => isOpen,
    end: () => {
      lost();
      return client.end();
    },
    destroy,
  };
}

function clientOver(
  socket: Socket,
  address: PostgresAddress,
  authorities: readonly string[] | undefined,
  onAsked: () => void,
): Client {
  const { encryption, password, host, port, database, user } = address;
  const client = new Client({
    host,
    port,
    database,
    user,
    // As a function: in place of an empty text, the driver would send PGPASSWORD.
    password: () => {
      onAsked();
      return password;
    },
    ssl:
      encryption === 'none'
        ? false
        : {
            rejectUnauthorized: encryption === 'verified',
            ...(authorities === undefined ? {} : { ca: [...authorities] }),
          },
    sslnegotiation: 'postgres',
    stream: () => socket,
    keepAlive: true,
    keepAliveInitialDelayMillis: 60_000,
    scramMaxIterations: mostIterations,
    types: { getTypeParser: () => (text) => text },
  });
  // The driver would add what the PG… variables say, which are for other programs.
  client.getStartupConf = () => ({ user, database, application_name: 'sluice' });
  return client;
}

/** Ends the connection where the driver does not understand what arrives: it would end the process, or wait for ever. */
function survive({ connection }: Client, lost: () => void): void {
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream: Socket): void => {
    stream.on('end', lost);
    const check = errorEndings();
    attach({
      on: (event, take) =>
        stream.on(event, (bytes: Buffer) => {
          try {
            if (event === 'data') check(bytes);
            take(bytes);
          } catch (error) {
            stream.destroy(
              Object.assign(new Error(`the response of the server cannot be read: ${(error as Error).message}`), {
                code: 'EPROTO',
              }),
            );
          }
        }),
    });
  };
}

const resets = new Set<unknown>(['ECONNRESET', 'EPIPE']);

/** What the driver says of a lost connection is about its own parts. */
function inPlainWords(error: unknown, isOpen: boolean): unknown {
  const code = codeOf(error);
  if (code === undefined ? isOpen : !resets.has(code)) return error;
  return new Error(`the connection was closed before a response arrived${code === undefined ? '' : ` (${code})`}`);
}

function codeOf(error: unknown): string | undefined {
  return (error as { readonly code?: string }).code;
}
