import type { Diagnostic } from './diagnostic.ts';
import type { ErrorCode } from './failure-codes.ts';

/** What went wrong while doing: a code, the facts, and the cause. Never carries a secret or the API key. */
export class SluiceError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  /** The hint in a watch, which retries automatically: what only a person can do, if anything. */
  readonly hintInWatch: string | undefined;
  /** What it is about one by one, such as resources: a line each. */
  readonly details: readonly string[];

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      readonly cause?: unknown;
      readonly hint?: string;
      /** Where the hint is to run a command again; empty: nothing else is to be done. */
      readonly hintInWatch?: string;
      readonly details?: readonly string[];
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = options.hint;
    this.hintInWatch = (options.hintInWatch ?? options.hint) || undefined;
    this.details = options.details ?? [];
  }
}

/** What a command was asked to show does not exist (exit 1). */
export class NotFound extends SluiceError {
  constructor(code: ErrorCode, message: string, hint: string) {
    super(code, message, { hint });
  }
}

/** The input cannot be used: all its problems at once (exit 8). */
export class InvalidInput extends SluiceError {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super('INVALID_INPUT', diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'invalid input');
    this.diagnostics = diagnostics;
  }
}

/** A safety rule refuses: protection, policy, or a view of the account that cannot be right (exit 3). */
export class Refused extends SluiceError {}

/** One difference between a plan and the approved one. */
export interface PlanDifference {
  readonly address: string;
  /** `action`, `hazards`, `requests` and such; of a field its name, with dots. */
  readonly what: string;
  /** Undefined: it was not in that plan. */
  readonly approved: string | undefined;
  readonly now: string | undefined;
}

/** What was approved is not what would be done now (exit 4), and where the two differ. */
export class Stale extends SluiceError {
  readonly differences: readonly PlanDifference[];

  constructor(code: ErrorCode, message: string, hint: string, differences: readonly PlanDifference[]) {
    super(code, message, { hint });
    this.differences = differences;
  }
}

/** The state file cannot be used as it is, and what to do (exit 1). */
export class StateError extends SluiceError {}

/** The state store cannot be used with these settings, or is not the one to use (exit 8). */
export class StoreRefused extends SluiceError {}

/** The state store does not accept the credentials (exit 7). */
export class StoreNotAllowed extends SluiceError {}

/** Somebody else is at work on this stack (exit 5). */
export class LockHeld extends SluiceError {}

/** The stack's directory cannot be read as it stands: `SOURCE_MISSING`, `SOURCE_UNREADABLE`, `SOURCE_CHANGING` or `CHECKOUT_MOVED`. Never means that anything was deleted (exit 1). */
export class SourceError extends SluiceError {}
