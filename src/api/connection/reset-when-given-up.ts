import type { Socket } from 'node:net';
import { errors } from 'undici';

// What undici destroys a connection with when a request on it is given up.
const givenUp = 'UND_ERR_INFO';

const transports = new WeakMap<Socket, Socket>();

/**
 * Has a connection reset when a request on it is given up, as at its deadline. Closing it in order would still deliver
 * what waits in the buffers of this machine: minutes later, when the network is back. `transport` is what TLS goes over.
 */
export function resetWhenGivenUp(socket: Socket, transport?: Socket): Socket {
  if (transport !== undefined) transports.set(socket, transport);
  const destroy = socket.destroy.bind(socket);
  let reason: Error | undefined;
  socket.destroy = (error?: Error) => {
    if (reason === undefined && error !== undefined && 'code' in error && error.code === givenUp) {
      // Without a failure, undici takes a response that was given up for a whole one, or connects again for nothing.
      reason = new errors.SocketError(error.message);
      const under = lowest(socket);
      if (under === socket) socket.resetAndDestroy();
      else resetWhenDestroyed(under);
    }
    return destroy(reason ?? error);
  };
  return socket;
}

/** TLS destroys what it goes over; resetting that first would end TLS as if the response were whole. */
function resetWhenDestroyed(socket: Socket): void {
  const destroy = socket.destroy.bind(socket);
  let isReset = false;
  socket.destroy = (error?: Error) => {
    if (!isReset) {
      isReset = true;
      socket.resetAndDestroy();
    }
    return destroy(error);
  };
}

/** The TCP connection under any number of layers of TLS. */
function lowest(socket: Socket): Socket {
  const transport = transports.get(socket);
  return transport === undefined ? socket : lowest(transport);
}
