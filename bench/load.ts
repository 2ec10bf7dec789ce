import { connect, type Socket } from 'node:net';

/** How long a load took. */
export interface Load {
  readonly seconds: number;
}

const connections = 32;

/**
 * Sends one GET so many times over a few connections, each one request at a time. Speaks HTTP by hand and looks only for
 * where an answer ends, so that the client is not what is measured.
 */
export async function load(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  requests: number,
): Promise<Load> {
  const { hostname, port, host } = new URL(url);
  const lines = [`GET ${path} HTTP/1.1`, `host: ${host}`, ...Object.entries(headers).map((pair) => pair.join(': '))];
  const request = Buffer.from(`${lines.filter((line) => !line.startsWith('content-type')).join('\r\n')}\r\n\r\n`);
  const sockets = await Promise.all(Array.from({ length: connections }, () => connected(hostname, Number(port))));
  let left = requests;
  const begun = performance.now();
  await Promise.all(
    sockets.map(async (socket) => {
      for (const answers = answersOn(socket); left > 0;) {
        left -= 1;
        socket.write(request);
        const { value } = (await answers.next()) as { value: string };
        if (!value.startsWith('HTTP/1.1 200 ')) throw new Error(`answered ${value.slice(0, 40)}`);
      }
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  for (const socket of sockets) socket.destroy();
  return { seconds };
}

function connected(host: string, port: number): Promise<Socket> {
  return new Promise((done, failed) => {
    const socket = connect({ host, port, noDelay: true }, () => done(socket)).once('error', failed);
  });
}

/** Every answer on a connection, whole. */
async function* answersOn(socket: Socket): AsyncGenerator<string, void, undefined> {
  let text = '';
  for await (const chunk of socket.setEncoding('latin1')) {
    text += String(chunk);
    for (let end = endOf(text); end <= text.length; end = endOf(text)) {
      yield text.slice(0, end);
      text = text.slice(end);
    }
  }
}

function endOf(text: string): number {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return Infinity;
  return head + 4 + Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1]);
}
