import { SluiceError } from '../../../diagnostics/errors.ts';
import { seededAgents } from '../../../emulator/agents/agents-seeded.ts';
import { serviceClock } from '../../../emulator/service-clock.ts';
import type { Controlled } from '../../../emulator/control/control.ts';
import { faultBoard, type FaultBoard } from '../../../emulator/control/fault-board.ts';
import { createEmulator } from '../../../emulator/emulator.ts';
import { concurrency, quota, tokenBucket } from '../../../emulator/faults/request-limits.ts';
import { latency } from '../../../emulator/faults/latency.ts';
import { requestLog } from '../../../emulator/http/request-log.ts';
import type { EmulatorFlags } from './emulator-command.ts';
import { loadAccount } from '../../../stack/service/account-file.ts';
import { UsageError } from '../../../stack/usage-error.ts';

/** Creates the emulator from the flags, with its account loaded. The request log is the outermost layer. */
export function emulatorSetup(flags: EmulatorFlags, log: ((line: string) => void) | undefined): Controlled {
  const { data, seedFile, agents, clock: start, fault = [], external, ...rest } = flags;
  const { rateLimit, burst, concurrencyLimit, latency: ms, ...behaviour } = rest;
  if (burst !== undefined && rateLimit === undefined)
    throw new UsageError('--burst requires --rate-limit', 'add a rate limit, such as --rate-limit 10/1s --burst 20');
  const clock = serviceClock(start);
  const emulator = createEmulator({
    ...behaviour,
    clock: clock.now,
    logKept: 0,
    ...(external === undefined ? {} : { externals: external }),
  });
  const isKept = data !== undefined && loadAccount(emulator, data);
  if (!isKept && seedFile !== undefined && !loadAccount(emulator, seedFile))
    throw new UsageError(`--seed-file: ${seedFile} does not exist`);
  if (!isKept) for (const agent of seededAgents(agents ?? 0)) emulator.addAgent(agent);
  if (rateLimit !== undefined) {
    const limit = { requests: rateLimit.requests, seconds: rateLimit.perMs / 1000 };
    emulator.intercept(burst === undefined ? quota(limit, clock.now) : tokenBucket({ ...limit, burst }, clock.now));
  }
  const faults = faultBoard(emulator, flags.seed);
  setFaults(faults, fault);
  if (ms !== undefined) emulator.intercept(latency(ms));
  // A delayed request counts as in flight until its response.
  if (concurrencyLimit !== undefined) emulator.intercept(concurrency(concurrencyLimit));
  if (log !== undefined) emulator.intercept(requestLog(log, clock.now));
  return { emulator, clock, faults, apiKey: flags.apiKey };
}

function setFaults(faults: FaultBoard, given: readonly string[]): void {
  try {
    faults.replace(given);
  } catch (error) {
    throw error instanceof SluiceError ? new UsageError(error.message, error.hint) : error;
  }
}
