/** What is used of the driver: its connection alone, without its pool, its types and its native variant. */
declare module 'pg/lib/client.js' {
  import type { Socket } from 'node:net';

  interface Result {
    readonly rows: readonly Readonly<Record<string, string | null>>[];
  }

  interface Options {
    readonly connectionString?: string;
    readonly host?: string;
    readonly port?: number;
    readonly database?: string;
    readonly user?: string;
    readonly password?: () => string;
    readonly ssl?: false | { readonly rejectUnauthorized: boolean; readonly ca?: string[] };
    readonly sslnegotiation?: 'postgres';
    readonly stream?: () => Socket;
    readonly keepAlive?: boolean;
    readonly keepAliveInitialDelayMillis?: number;
    readonly scramMaxIterations?: number;
    readonly types?: { readonly getTypeParser: () => (text: string) => string };
  }

  interface Incoming {
    on(event: string, take: (bytes: Buffer) => void): unknown;
  }

  class Client {
    constructor(options: Options);
    /** Reads what arrives: over the socket, or over TLS. */
    readonly connection: { attachListeners(stream: Incoming): void };
    /** What the first message says. */
    getStartupConf: () => Readonly<Record<string, string>>;
    connect(): Promise<unknown>;
    /** One message of the simple protocol; several results where it has several statements. */
    query(text: string): Promise<Result | readonly Result[]>;
    end(): Promise<void>;
    on(event: 'error', listener: (error: unknown) => void): this;
  }
  export = Client;
}
