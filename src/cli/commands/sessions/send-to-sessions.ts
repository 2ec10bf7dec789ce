import { limited } from '../../../refresh/limited.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Palette } from '../../../render/text/palette.ts';
import type { Context } from '../../context.ts';
import { withService } from '../../with-workspace.ts';
import { declined } from '../../approval/approval.ts';
import { exitCodeOfAgents } from './rollout-outcome.ts';
import { printRequests, sendCommand, type Command, type CommandResult } from './send-command.ts';
import { requireSelection, selectSessions, type SessionSelection } from './select-sessions.ts';
import type { Session } from './session.ts';

/** Flags of commands to agents. */
export interface SendFlags extends SessionSelection {
  readonly autoApprove?: boolean;
  readonly dryRun?: boolean;
}

interface Outcome extends CommandResult {
  readonly session: Session;
}

const done = { restart: 'restarting', stop: 'stopping', update: 'updating' } as const;

/** Sends a command to each selected agent, once, regardless of the results of the others. */
export async function sendToSessions(
  context: Context,
  command: Command,
  ids: readonly string[],
  flags: SendFlags,
): Promise<number> {
  const { dryRun = false } = flags;
  requireSelection(ids, flags);
  return withService(context, { command: `sessions ${command}`, writes: !dryRun }, async (service) => {
    const sessions = await selectSessions(service.reader, ids, flags);
    if (dryRun) {
      const wanted = sessions.map((session) => ({ command, session }));
      return printRequests(context, wanted, { command });
    }
    const question = questionOf(command, sessions, flags);
    const code = question === undefined ? undefined : await declined(context, flags, `\n${question}`, notSent);
    if (code !== undefined) return code;
    const outcomes = await sendAll(context, service.writer, command, sessions);
    const interrupted = context.io.signal.aborted;
    const facts = { command, interrupted, sessions: outcomes.map(outcomeJson) };
    context.done(outcomesText(command, outcomes, context.palette), facts);
    const open = outcomes.filter(({ ending }) => ending !== 'done');
    return exitCodeOfAgents(outcomes, open, interrupted);
  });
}

/** What is reported if nobody approves. */
export const notSent = 'Not approved. Nothing was sent.';

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
        if (hopeless.found || io.signal.aborted) return { session, ending: 'not-started' };
        const sent = await sendCommand(client, command, session);
        if (sent.hopeless === true) hopeless.found = true;
        return { session, ...sent };
      }),
    ),
  );
}

function outcomesText(command: Command, outcomes: readonly Outcome[], palette: Palette): string {
  if (outcomes.length === 0) return 'No matching agents are online. Nothing was sent.\n';
  return outcomes.map((one) => `${safeText(one.session.id)}  ${endingText(command, one, palette)}\n`).join('');
}

function endingText(command: Command, { ending, message, code, hint }: Outcome, palette: Palette): string {
  if (ending === 'done') return palette.added(done[command]);
  if (ending === 'not-started') return palette.quiet('not started: no command was sent');
  const head = ending === 'failed' ? palette.removed('failed') : palette.danger('unknown');
  const advice = hint === undefined ? '' : `\n    ${safeText(hint)}`;
  return `${head}: ${safeText(message ?? '', 2000)}${code === undefined ? '' : ` (${safeText(code)})`}${advice}`;
}

function outcomeJson({ session, ending, code, status, message, hint }: Outcome): Readonly<Record<string, unknown>> {
  return { id: session.id, ending, code, status, message, hint };
}
