import { module } from '../fields.ts';

/** WebSocket frames as a TCP stream. */
export const websocketTcpConverter = module(
  'Converts WebSocket connections to TCP connections to the backend.',
  {},
  { path: { suffix: '/websocket_tcp_converter', since: 'completed' } },
);
