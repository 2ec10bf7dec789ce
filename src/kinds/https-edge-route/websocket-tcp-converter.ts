import { module } from '../fields.ts';

/** WebSocket frames as a TCP stream. */
export const websocketTcpConverter = module(
  'Turns WebSocket frames into a TCP stream.',
  {},
  { path: { suffix: '/websocket_tcp_converter', since: 'completed' } },
);
