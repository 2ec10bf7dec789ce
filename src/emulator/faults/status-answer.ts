import { refusalAnswer, refuse, type Answer } from '../answer.ts';

/** An answer of the service's own shape with a status of one's choice. */
export function statusAnswer(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  const code = status === 404 ? undefined : 'EMULATED_FAULT';
  return refusalAnswer(refuse(status, code, 'The emulator injected this response.', headers), 'op_fault');
}
