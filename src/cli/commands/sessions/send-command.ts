import type { Client, WriteRequest } from '../../../api/client.ts';
import { ApiError, ConnectionFailed, mayHaveHappened, NotAllowed } from '../../../api/errors.ts';
import { pathSegment } from '../../../derive/path-segment.ts';
import { SluiceError } from '../../../diagnostics/errors.ts';
import { tunnelSession } from '../../../kinds/views.ts';
import type { Session } from './session.ts';

/** What an agent can be told to do. */
export type Command = 'restart' | 'stop' | 'update';

/** The request that sends a command to an agent. */
export function commandRequest(command: Command, { id }: Session): Pick<WriteRequest, 'method' | 'path' | 'body'> {
  return { method: 'POST', path: `${tunnelSession.path}/${pathSegment(id)}/${command}`, body: {} };
}

/** How one command to one agent ended, in its user's terms. */
export interface CommandResult {
  readonly ending: 'done' | 'failed' | 'unknown';
  readonly code?: string;
  readonly status?: number;
  readonly message?: string;
  readonly hint?: string;
  /** The next one would fare the same: the key may not do this, or the service is not reached. */
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
    message: `${error.message}; the ${command} may have been carried out, and is not sent again`,
    hint:
      command === 'update'
        ? '`sluice sessions update` again tells: an agent that is updating or has updated says so'
        : `\`sluice sessions get ${id}\` tells: an agent that was ${command === 'stop' ? 'stopped' : 'restarted'} has left that session`,
    ...(error instanceof ConnectionFailed ? { hopeless: true } : {}),
  };
}

function refused(command: Command, session: Session, error: ApiError): CommandResult {
  const known = explained(error, session);
  const message = known?.message ?? (error instanceof NotAllowed ? error.message : error.msg);
  const hint = known === undefined ? error.hint : known.hint;
  return {
    ending: 'failed',
    code: error.status === 404 ? 'NOT_FOUND' : (error.errorCode ?? error.code),
    status: error.status,
    message: message === '' ? `the service refused the ${command} with ${error.status}` : message,
    ...(hint === undefined ? {} : { hint }),
    ...(error instanceof NotAllowed ? { hopeless: true } : {}),
  };
}

/** Each refusal that the service is known for; what else it says is told in its own words. */
function explained(
  { errorCode, status }: ApiError,
  { id, version }: Session,
): { readonly message: string; readonly hint: string } | undefined {
  if (status === 404)
    return {
      message: 'it is not online any more',
      hint: 'an agent that was restarted has a new session: `sluice sessions list` shows it',
    };
  switch (errorCode) {
    case 'UPDATE_NOT_AVAILABLE':
      return {
        message: `there is no newer version for it than ${version === '' ? 'its own' : version} within its major version`,
        hint: 'a new major version is installed on the machine itself; an update never brings one',
      };
    case 'UPDATE_DISABLED':
      return {
        message: 'its configuration turns update checks off',
        hint: 'turn update checks on in the configuration file of the agent and restart it, or update it on the machine itself',
      };
    case 'UPDATE_IN_PROGRESS':
      return {
        message: 'it is updating already',
        hint: `wait ten seconds, then \`sluice sessions restart ${id}\` finishes the update`,
      };
    case 'UPDATE_NEEDS_RESTART':
      return {
        message: 'it has updated already, and runs its old version until it is restarted',
        hint: `\`sluice sessions restart ${id}\` finishes the update`,
      };
    case 'RESTART_NOT_SUPPORTED':
      return {
        message: 'an agent on Windows cannot restart itself',
        hint: 'restart its service on the machine itself; an update takes effect then too',
      };
    default:
      return undefined;
  }
}
