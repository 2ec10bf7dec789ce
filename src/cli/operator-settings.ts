import { isLoopback } from '../api/base-url.ts';
import { safeText } from '../diagnostics/safe-text.ts';
import type { Path } from '../kinds/value.ts';
import type { StackSettings } from '../manifest/stack-schema.ts';

/**
 * A setting of `sluice.yaml` that says where a credential is sent, or which files outside the stack are read. Whoever
 * opens a pull request can edit that file, so only the operator decides these: by a variable of the environment.
 */
export interface OperatorSetting {
  /** As a user writes it, such as `api.base_url`. */
  readonly name: string;
  /** The variable by which the operator decides. */
  readonly variable: string;
  /** What it decides, as in "sluice.yaml does not decide …". */
  readonly decides: string;
  /** What a stack file says, each value with its path. */
  readonly written: (settings: StackSettings) => readonly WrittenSetting[];
  /** Whether a value is safe no matter who chose it. */
  readonly isHarmless: (value: string) => boolean;
  /** Whether the text of the variable makes a value right, or makes it irrelevant. */
  readonly isConfirmed: (value: string, variable: string) => boolean;
  /** A value as it may be printed. */
  readonly shown: (value: string) => string;
}

/** One value of a stack file. */
export interface WrittenSetting {
  readonly path: Path;
  readonly value: string;
}

/** All of them. A new setting that sends a credential somewhere is a row here. */
export const operatorSettings: readonly OperatorSetting[] = [
  {
    name: 'api.base_url',
    variable: 'SLUICE_BASE_URL',
    decides: 'where the API key is sent',
    written: ({ api }) => [{ path: ['api', 'base_url'], value: api.base_url }],
    isHarmless: isOnThisMachine,
    // A service on this machine is named to try things out, with the stack file of the real one.
    isConfirmed: (value, variable) => isOnThisMachine(variable) || addressOf(value) === addressOf(variable),
    shown: (value) => safeText(addressOf(value) ?? 'an invalid address', 200),
  },
];

function isOnThisMachine(url: string): boolean {
  return url === 'embedded' || (URL.canParse(url) && isLoopback(new URL(url).hostname));
}

/** Origin and path, spelled in one way. */
function addressOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, '');
}
