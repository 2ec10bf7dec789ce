import { resourceText } from '../../../render/values/resource-text.ts';
import { table } from '../../../render/text/table.ts';
import { NotFound } from '../../../diagnostics/errors.ts';
import type { Context } from '../../context.ts';
import { withService } from '../../with-workspace.ts';
import { selectSessions, sessionNamed, type SessionSelection } from './select-sessions.ts';
import { sessionColumns, sessionRow } from './session.ts';

/** Lists online agents that match a selection. */
export async function listSessions(
  context: Context,
  ids: readonly string[],
  selection: SessionSelection,
): Promise<number> {
  return withService(context, { command: 'sessions list', writes: false }, async (service) => {
    const sessions = await selectSessions(service.reader, ids, selection);
    const text = table(sessionColumns, sessions.map(sessionRow), context.palette, 'No matching agents are online.\n');
    return context.done(text, { sessions: sessions.map(({ answer }) => answer) });
  });
}

/** Shows one agent with all fields of its session. */
export async function getSession(context: Context, id: string): Promise<number> {
  return withService(context, { command: 'sessions get', writes: false }, async (service) => {
    const session = await sessionNamed(service.reader, id);
    if (session === undefined)
      throw new NotFound(
        'SESSION_NOT_FOUND',
        `no agent session ${JSON.stringify(id)} is online`,
        'a restarted agent has a new session; run `sluice sessions list`',
      );
    return context.done(resourceText(session.answer, context.palette), { session: session.answer });
  });
}
