import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Palette } from '../../../render/text/palette.ts';
import { exitCodeOfRefusals, exitCodes } from '../../exit-code.ts';
import type { AgentOutcome, Steps } from './roll.ts';

type Ending = AgentOutcome['ending'];

// In the order of their importance after a failure.
const endings: readonly Ending[] = ['failed', 'unknown', 'updated', 'not-started', 'offline', 'up-to-date', 'done'];

/** The outcome of a rollout as text: failures first, then what was done and what was not. */
export function rolloutOutcomeText(outcomes: readonly AgentOutcome[], steps: Steps, palette: Palette): string {
  const byEnding = endings
    .map((ending) => ({ ending, those: outcomes.filter((outcome) => outcome.ending === ending) }))
    .filter(({ those }) => those.length > 0);
  const lines = byEnding.flatMap(({ those }) => those.map((outcome) => outcomeText(outcome, steps, palette)));
  const sums = byEnding.toReversed().map(({ ending, those }) => `${those.length} ${sumText(ending, steps)}`);
  return `${lines.join('')}\n${sums.join(', ')}.\n`;
}

/** The outcome of a rollout as JSON. */
export function rolloutOutcomeJson(outcomes: readonly AgentOutcome[]): readonly unknown[] {
  return outcomes.map(({ session, ending, back, code, status, message, hint }) => ({
    id: session.id,
    ending,
    version: session.version,
    new_session: back === undefined ? undefined : { id: back.id, version: back.version },
    code,
    status,
    message,
    hint,
  }));
}

/** The exit code of commands to agents, by the outcome of each and those that are still open. */
export function exitCodeOfAgents(
  outcomes: readonly AgentOutcome[],
  open: readonly AgentOutcome[],
  interrupted: boolean,
): number {
  if (open.length === 0) return exitCodes.done;
  if (interrupted) return exitCodes.interrupted;
  if (outcomes.some(({ ending, back }) => back !== undefined || ['done', 'updated', 'unknown'].includes(ending)))
    return exitCodes.inPart;
  if (open.some(({ code }) => code === 'NOT_RECONNECTED')) return exitCodes.inPart;
  return exitCodeOfRefusals(open.map(({ status }) => status));
}

/** Whether an agent is finished. */
export function isOver({ ending }: AgentOutcome, steps: Steps): boolean {
  if (ending === 'updated') return !steps.includes('restart');
  return ending === 'done' || ending === 'up-to-date' || ending === 'offline';
}

function outcomeText(outcome: AgentOutcome, steps: Steps, palette: Palette): string {
  const { session, ending, message, hint, code } = outcome;
  const id = safeText(session.id);
  const why = `${safeText(message ?? '', 2000)}${code === undefined ? '' : ` (${safeText(code)})`}`;
  const hintLine = hint === undefined ? '' : `    ${safeText(hint)}\n`;
  switch (ending) {
    case 'failed':
      return `${palette.removed('failed')}       ${id}  ${why}\n${hintLine}`;
    case 'unknown':
      return `${palette.danger('unknown')}      ${id}  ${why}\n${hintLine}`;
    case 'updated':
      return `${palette.changed('updated')}      ${id}  keeps running ${versionText(session.version)} until the agent is restarted\n`;
    case 'not-started':
      return `${palette.quiet('not started')}  ${id}  no command was sent\n`;
    case 'offline':
      return `${palette.quiet('offline')}      ${id}  went offline during the rollout\n`;
    case 'up-to-date':
      return `${palette.quiet('up to date')}   ${id}  no newer version than ${versionText(session.version)} is available${steps.includes('restart') ? '; not restarted' : ''}\n`;
    case 'done':
      return `${palette.added('done')}         ${id}  ${backText(outcome)}\n`;
  }
}

function backText({ session, back }: AgentOutcome): string {
  if (back === undefined) return '';
  const versions =
    back.version === session.version
      ? versionText(back.version)
      : `${versionText(session.version)} -> ${versionText(back.version)}`;
  return `${versions}, new session ${safeText(back.id)}`;
}

function versionText(version: string): string {
  return version === '' ? 'the current version' : safeText(version, 60);
}

function sumText(ending: Ending, steps: Steps): string {
  if (ending === 'up-to-date') return 'up to date';
  if (ending === 'updated') return steps.includes('restart') ? 'updated but not restarted' : 'updated';
  return ending.replace('-', ' ');
}
