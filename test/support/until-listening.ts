import { createConnection } from 'node:net';

/** Resolves once a port of this machine accepts connections. */
export async function untilListening(port: number): Promise<void> {
  for (let tries = 0; tries < 2_400; tries++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = createConnection(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing listens on port ${port}`);
}
