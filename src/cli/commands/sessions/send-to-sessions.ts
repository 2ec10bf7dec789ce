import { limited } from '../../../refresh/limited.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Palette } from '../../../render/text/palette.ts';
import type { Context } from '../../context.ts';
import { exitCodeOfRefusals, exitCodes } from '../../exit-code.ts';
import { withService } from '../../with-workspace.ts';
import { declined, requireApproval } from '../../approval/approval.ts';
import { printRequests, sendCommand, type Command, type CommandResult } from './send-command.ts';
import { requireSelection, selectSessions, type SessionSelection } from './select-sessions.ts';
import type { Session } from './session.ts';

/** Flags of commands that ask for approval. */
export interface PromptFlags {
  readonly autoApprove?: boolean;
  /** The other spelling. */
  readonly yes?: boolean;
}

/** Flags of commands to agents. */
export type SendFlags = SessionSelection & PromptFlags & { readonly dryRun?: boolean };

interface Outcome {
  readonly session: Session;
  readonly sent: CommandResult | { readonly ending: 'not-started' };
}

const done = { restart: 'restarting', stop: 'stopping', update: 'updating' } as const;

/** Sends a command to each selected agent, once, regardless of the results of the others. */
export async function sendToSessions(
  context: Context,
  command: Command,
  ids: readonly string[],
  flags: SendFlags,
): Promise<number> {
  const { yes: _, autoApprove: _approved, dryRun = false, ...selection } = flags;
  requireSelection(ids, selection);
  return withService(context, { command: `sessions ${command}`, writes: !dryRun }, async (service) => {
    const sessions = await selectSessions(service.reader, ids, selection);
    if (dryRun) {
      const wanted = sessions.map((session) => ({ command, session }));
      return printRequests(context, wanted, { command });
    }
    const question = questionOf(command, sessions, selection);
    if (question !== undefined) {
      requireApproval(context, flags);
      const code = await declinedToSend(context, flags, question);
      if (code !== undefined) return code;
    }
    const outcomes = await sendAll(context, service.writer, command, sessions);
    context.result(
      () => outcomesText(command, outcomes, context.palette),
      () => ({
        format_version: '1.0',
        command,
        interrupted: context.io.signal.aborted,
        sessions: outcomes.map(outcomeJson),
      }),
    );
    return exitCode(outcomes, context.io.signal.aborted);
  });
}

/** Asks for approval; returns the exit code if it was declined, or undefined to continue. */
export function declinedToSend(context: Context, flags: PromptFlags, question: string): Promise<number | undefined> {
  return declined(context, flags, `\n${question}`, 'Not approved. Nothing was sent.');
}

/** The question before a command to several agents, or to all that are online. One agent given by id needs no approval. */
function questionOf(command: Command, { length }: readonly Session[], { all }: SessionSelection): string | undefined {
  if (length === 0) return undefined;
  if (all === true) return `${command} ${length === 1 ? 'the only online agent' : `all ${length} online agents`}?`;
  return length === 1 ? undefined : `${command} ${length} agents?`;
}

/** Ten at a time. Stops after an error that the others would get as well, and after Ctrl-C. */
async function sendAll(
  { io }: Context,
  client: Parameters<typeof sendCommand>[0],
  command: Command,
  sessions: readonly Session[],
): Promise<readonly Outcome[]> {
  const inTurn = limited(10);
  const hopeless = { found: false };
  return Promise.all(
    sessions.map((session) =>
      inTurn(async (): Promise<Outcome> => {
        if (hopeless.found || io.signal.aborted) return { session, sent: { ending: 'not-started' } };
        const sent = await sendCommand(client, command, session);
        if (sent.hopeless === true) hopeless.found = true;
        return { session, sent };
      }),
    ),
  );
}

function exitCode(outcomes: readonly Outcome[], interrupted: boolean): number {
  const open = outcomes.filter(({ sent }) => sent.ending !== 'done');
  if (open.length === 0) return exitCodes.done;
  if (interrupted) return exitCodes.interrupted;
  if (outcomes.some(({ sent }) => sent.ending === 'done' || sent.ending === 'unknown')) return exitCodes.inPart;
  return exitCodeOfRefusals(open.map(({ sent }) => ('status' in sent ? sent.status : undefined)));
}

function outcomesText(command: Command, outcomes: readonly Outcome[], palette: Palette): string {
  if (outcomes.length === 0) return 'No matching agents are online. Nothing was sent.\n';
  return outcomes
    .map(({ session, sent }) => `${safeText(session.id)}  ${endingText(command, sent, palette)}\n`)
    .join('');
}

function endingText(command: Command, sent: Outcome['sent'], palette: Palette): string {
  if (sent.ending === 'done') return palette.added(done[command]);
  if (sent.ending === 'not-started') return palette.quiet('not started: no command was sent');
  const head = sent.ending === 'failed' ? palette.removed('failed') : palette.danger('unknown');
  const hint = sent.hint === undefined ? '' : `\n    ${safeText(sent.hint)}`;
  return `${head}: ${safeText(sent.message ?? '', 2000)}${sent.code === undefined ? '' : ` (${safeText(sent.code)})`}${hint}`;
}

function outcomeJson({ session, sent }: Outcome): Readonly<Record<string, unknown>> {
  if (sent.ending === 'not-started') return { id: session.id, ending: sent.ending };
  const { ending, code, status, message, hint } = sent;
  return { id: session.id, ending, code, status, message, hint };
}
