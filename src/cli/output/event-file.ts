import { closeSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemReason, writeHint } from '../../diagnostics/system-reason.ts';
import { openToWrite } from '../../files/open-to-write.ts';
import type { ChangeOutcome, ApplyEvent, Outcome } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { EventJson } from '../../render/outcome/event-json-schema.ts';
import { jsonLine } from '../../render/text/json-text.ts';
import { changeOutcomeJson, outcomeJson } from '../../render/outcome/outcome-json.ts';
import type { RetryWait } from '../../api/retry.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../../stack/usage-error.ts';

/** Writes the events of an apply as they happen. */
export interface EventFile {
  readonly started: (plan: Plan) => void;
  readonly onEvent: (event: ApplyEvent) => void;
  readonly onRetry: (wait: RetryWait) => void;
  readonly finished: (outcome: Outcome, exitCode: number) => void;
  readonly close: () => void;
}

/** Opens the file of `--events` before anything is done, so that an unwritable file is an early error. */
export function openEventFile(context: Context, path: string | undefined): EventFile | undefined {
  if (path === undefined) return undefined;
  const file = opened(resolve(context.io.cwd, path), path);
  const now = (): string => new Date(context.io.now?.() ?? Date.now()).toISOString();
  const written = new Map<string, string>();
  let isBroken = false;

  function write(event: EventJson): void {
    if (isBroken) return;
    try {
      const line = Buffer.from(jsonLine(event));
      for (let at = 0; at < line.length;) at += writeSync(file, line, at);
    } catch (error) {
      // A failed log does not interrupt the apply.
      isBroken = true;
      context.log('warn', `cannot write events to ${path}: ${systemReason(error)}; the apply continues without them`);
    }
  }

  function finish(outcome: ChangeOutcome): void {
    const json = changeOutcomeJson(outcome);
    if (written.get(outcome.address) === JSON.stringify(json)) return;
    written.set(outcome.address, JSON.stringify(json));
    write({ type: 'change_finished', time: now(), ...json });
  }

  return {
    started: ({ stack: { name, id }, changes, steps }) => {
      const count = changes.filter(({ action }) => action !== 'none').length;
      const facts = { stack: { name, id }, changes: count, requests: steps.length };
      write({ format_version: '1.0', type: 'apply_started', time: now(), ...facts });
    },
    onEvent: (event) => {
      if (event.type === 'finished') finish(event.outcome);
      else if (event.type === 'started') {
        const { address, action, step: request } = event;
        write({ type: 'request_started', time: now(), address, action, request });
      } else write({ type: 'waiting', time: now(), address: event.address, reason: event.why });
    },
    onRetry: ({ method, path: asked, ms, why }) => {
      write({ type: 'waiting', time: now(), method, path: asked, seconds: Math.ceil(ms / 1000), reason: why });
    },
    finished: (outcome, exitCode) => {
      for (const change of outcome.changes) finish(change);
      write({ type: 'apply_finished', time: now(), outcome: outcomeJson(outcome, exitCode) });
    },
    close: () => {
      closeSync(file);
    },
  };
}

function opened(path: string, given: string): number {
  try {
    return openToWrite(path, 'replace');
  } catch (error) {
    throw new UsageError(
      `--events ${given} cannot be written: ${systemReason(error)}`,
      writeHint(error) ?? 'pass the path of a writable file',
    );
  }
}
