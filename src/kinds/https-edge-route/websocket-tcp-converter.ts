import { module } from '../fields.ts';

/** WebSocket frames as a TCP stream. */
export const websocketTcpConverter = module(
  'Converts WebSocket frames to a TCP stream.',
  {},
  { path: { suffix: '/websocket_tcp_converter', since: 'completed' } },
);
