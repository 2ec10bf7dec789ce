import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { Identity } from './private-authority.ts';

/** A proxy for one test, with everything that it could read. */
export interface ConnectProxy {
  /** Without credentials. */
  readonly url: string;
  readonly name: string;
  /** Hosts and ports that were asked for, in order. */
  readonly targets: readonly string[];
  /** Whatever clients have sent it, the heads of CONNECT and the content of tunnels. */
  readonly received: () => string;
  /** How many connections are open. */
  readonly open: () => number;
}

/** How it behaves, other than opening each tunnel asked for. */
export interface ProxyBehaviour {
  /** Where names lead, in the place of a name service: the port on this machine. */
  readonly routes?: Readonly<Record<string, number>>;
  /** `user:password` that it insists on. */
  readonly credentials?: string;
  /** Answers every connection so, whatever it asks for. */
  readonly answers?: (socket: Socket) => void;
  /** Speaks TLS with its clients. */
  readonly tls?: Identity;
}

/** Starts a proxy on loopback that stops when the test is over. */
export async function connectProxy({
  routes = {},
  credentials,
  answers,
  tls,
}: ProxyBehaviour = {}): Promise<ConnectProxy> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  let received = '';

  function serve(client: Socket): void {
    keep(client);
    client.on('data', (chunk: Buffer) => void (received += chunk.toString('latin1')));
    client.once('data', (chunk: Buffer) => {
      const head = chunk.toString('latin1');
      const [, target = ''] = /^CONNECT (\S+) HTTP\/1\.1\r\n/.exec(head) ?? [];
      targets.push(target);
      if (answers !== undefined) {
        answers(client);
        return;
      }
      if (credentials !== undefined && !head.includes(`Basic ${Buffer.from(credentials).toString('base64')}\r\n`))
        return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n');
      const port = routes[target] ?? Number(target.split(':').at(-1));
      const server = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        client.pipe(server).pipe(client);
      });
      keep(server);
      server.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    });
  }

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  }

  const server =
    tls === undefined ? createServer(serve) : createTlsServer(tls, serve).on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const name = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${name}`,
    name,
    targets,
    received: () => received,
    open: () => sockets.size,
  };
}
