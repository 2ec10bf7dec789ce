import type { Client, WriteRequest } from '../../../api/client.ts';
import { ApiError, ConnectionFailed, isNotFound, mayHaveHappened, NotAllowed } from '../../../api/api-errors.ts';
import { pathSegment } from '../../../derive/wire/operations.ts';
import { SluiceError } from '../../../diagnostics/errors.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { tunnelSession } from '../../../kinds/views.ts';
import type { Context } from '../../context.ts';
import type { Session } from './session.ts';

/** A command that can be sent to an agent. */
export type Command = 'restart' | 'stop' | 'update';

/** The request that sends a command to an agent. */
function commandRequest(command: Command, { id }: Session): Pick<WriteRequest, 'method' | 'path' | 'body'> {
  return { method: 'POST', path: `${tunnelSession.path}/${pathSegment(id)}/${command}`, body: {} };
}

/** Prints the requests that commands would send to agents, in order, without sending them. */
export function printRequests(
  context: Context,
  wanted: readonly { readonly command: Command; readonly session: Session }[],
  facts: Readonly<Record<string, unknown>>,
): number {
  const requests = wanted.map(({ command, session }) => commandRequest(command, session));
  const lines = requests.map(({ method, path, body }) => `${method} ${safeText(path, 500)} ${JSON.stringify(body)}\n`);
  return context.done(
    `${lines.join('')}Dry run: ${lines.length === 0 ? 'no matching agents are online; ' : ''}nothing was sent.\n`,
    { ...facts, dry_run: true, requests },
  );
}

/** The result of one command to one agent. */
export interface CommandResult {
  readonly ending: 'done' | 'failed' | 'unknown' | 'not-started';
  readonly code?: string;
  readonly status?: number;
  readonly message?: string;
  readonly hint?: string;
  /** Other agents would fail the same way: permission denied, or the service is unreachable. */
  readonly hopeless?: boolean;
}

/** Sends a command to an agent, once. */
export async function sendCommand(client: Client, command: Command, session: Session): Promise<CommandResult> {
  try {
    await client.write(commandRequest(command, session));
    return { ending: 'done' };
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    if (mayHaveHappened(error)) return unknown(command, session, error);
    if (error instanceof ApiError) return refused(command, session, error);
    return {
      ending: 'failed',
      code: error.code,
      message: `${error.message}; the ${command} was not sent`,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      hopeless: error instanceof ConnectionFailed,
    };
  }
}

function unknown(command: Command, { id }: Session, error: SluiceError): CommandResult {
  return {
    ending: 'unknown',
    code: error.code,
    message: `${error.message}; the ${command} may have been executed and is not sent again`,
    hint:
      command === 'update'
        ? 'run `sluice sessions update` again: it reports an update that is in progress or complete'
        : `run \`sluice sessions get ${id}\` to check: the session ends when the agent ${command === 'stop' ? 'stops' : 'restarts'}`,
    hopeless: error instanceof ConnectionFailed,
  };
}

function refused(command: Command, session: Session, error: ApiError): CommandResult {
  const code = isNotFound(error) ? 'NOT_FOUND' : (error.errorCode ?? error.code);
  const known = knownRefusals.get(code)?.(session);
  const message = known?.message ?? (error instanceof NotAllowed ? error.message : error.msg);
  const hint = known === undefined ? error.hint : known.hint;
  return {
    ending: 'failed',
    code,
    status: error.status,
    message: message === '' ? `the service refused the ${command} with ${error.status}` : message,
    ...(hint === undefined ? {} : { hint }),
    hopeless: error instanceof NotAllowed,
  };
}

// Any other code is shown with the message of the service.
const knownRefusals = new Map<string, (session: Session) => { readonly message: string; readonly hint: string }>(
  Object.entries({
    NOT_FOUND: () => ({
      message: 'the agent is no longer online',
      hint: 'a restarted agent has a new session; run `sluice sessions list`',
    }),
    UPDATE_NOT_AVAILABLE: ({ version }) => ({
      message: `no newer version than ${version === '' ? 'the current one' : version} is available within the same major version`,
      hint: 'to change the major version, install the new version on the machine of the agent',
    }),
    UPDATE_DISABLED: () => ({
      message: 'update checks are disabled in the configuration of the agent',
      hint: 'enable update checks in the configuration file of the agent and restart the agent, or install the new version on its machine',
    }),
    UPDATE_IN_PROGRESS: ({ id }) => ({
      message: 'the agent is already being updated',
      hint: `wait ten seconds, then run \`sluice sessions restart ${id}\` to complete the update`,
    }),
    UPDATE_NEEDS_RESTART: ({ id }) => ({
      message: 'the agent is already updated but runs its old version until it is restarted',
      hint: `run \`sluice sessions restart ${id}\` to complete the update`,
    }),
    RESTART_NOT_SUPPORTED: () => ({
      message: 'agents on Windows cannot be restarted remotely',
      hint: 'restart the service of the agent on its machine; this also completes a pending update',
    }),
  }),
);
