import type { Socket } from 'node:net';

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
  socket.destroy = (error?: Error) => {
    if (error !== undefined && 'code' in error && error.code === givenUp) lowest(socket).resetAndDestroy();
    return destroy(error);
  };
  return socket;
}

/** The TCP connection under any number of layers of TLS. */
function lowest(socket: Socket): Socket {
  const transport = transports.get(socket);
  return transport === undefined ? socket : lowest(transport);
}
