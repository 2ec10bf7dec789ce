import { realpathSync } from 'node:fs';
import { dirname, relative, resolve, sep, basename } from 'node:path';
import type { Leaf } from '../../kinds/kind.ts';
import type { SecretOrigin } from '../../kinds/value.ts';
import { credentialComplaint, type OwnCredentials } from '../check/own-credentials.ts';
import { printablePrefix } from './is-printable.ts';
import { limits } from './limits.ts';
import { isInGit, isInside, realPath } from '../../files/real-path.ts';
import { defaultStatePath } from '../stack-file/default-state-path.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { readSafely, unreadable, type FileText } from '../../files/safe-file.ts';
import type { ManifestProblem } from '../check/problems.ts';
import { isWrittenObject, type Written, type WrittenObject } from './written.ts';

/** Where values may come from. */
export interface ValueOptions {
  readonly dir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Further directories for `from_file`, from the stack file only. */
  readonly roots: readonly string[];
  /** The state file, as the stack file names it. */
  readonly statePath?: string | undefined;
  /** When given, other environment variables are warned about. */
  readonly envPrefixes?: readonly string[];
  /** The credentials of sluice itself, which manifests may not read. */
  readonly credentials: OwnCredentials;
  /** How a variable that is not set is reported, an error by default: `validate` accepts it. `ignore`: it is not, nor is a missing file, unless the value would be printed; a plan from a snapshot compares no secrets. */
  readonly missingValues?: 'error' | 'warning' | 'ignore';
  /** Called for each file that is read, with its absolute path, found or not. */
  readonly onFile?: (path: string) => void;
}

/** A value from elsewhere; `text` is missing if it could not be read, and then `complaint` is the reason, unless it is ignored. */
export interface SourcedValue {
  readonly origin: SecretOrigin;
  readonly text?: string;
  readonly complaint?: ManifestProblem;
}

/** Looks a value up, each file once. */
export type FindValue = (from: SecretOrigin, manifest: string | undefined, format: Leaf['format']) => SourcedValue;

/** The source of a value, if a mapping names one: exactly `{from_env: NAME}` or `{from_file: path}`. */
export function originIn(written: Written): SecretOrigin | undefined {
  if (!isWrittenObject(written) || Object.keys(written).length !== 1) return undefined;
  const { from_env, from_file }: WrittenObject = written;
  if (typeof from_env === 'string') return { from_env };
  return typeof from_file === 'string' ? { from_file } : undefined;
}

/** Makes a source of values for one run. */
export function valueSource(options: ValueOptions): FindValue {
  const files = new Map<string, FileText>();
  let bytesLeft = limits.totalBytes;
  const directories = [options.dir, ...options.roots].map((root) => resolve(options.dir, root));
  const roots = directories.flatMap((path) => realPath(path) ?? []);
  const state = options.statePath === undefined ? undefined : realPath(resolve(options.dir, options.statePath));
  // A value from there would change with each apply.
  const isKept = (real: string, root: string): boolean =>
    isInOwnDirectory(relative(root, real)) || (state !== undefined && isKeptWithState(real, state));
  const { missingValues = 'error' } = options;
  return (from, manifest, format) => {
    const found = 'from_env' in from ? fromEnv(from.from_env) : fromFile(from.from_file, manifest, format);
    // One large file can be the value of many fields.
    bytesLeft -= found.text?.length ?? 0;
    if (bytesLeft < 0) return { origin: found.origin, complaint: tooLarge };
    const complaint = credentialComplaint(found.origin, found.text, options.credentials);
    return complaint === undefined ? found : { origin: found.origin, complaint };
  };

  function fromEnv(name: string): SourcedValue {
    const origin = { from_env: name };
    const failed = (complaint: ManifestProblem): SourcedValue => ({ origin, complaint });
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      return failed({
        code: 'INVALID_VALUE_SOURCE',
        message: '`from_env` must be the name of an environment variable',
      });
    const text = Object.hasOwn(options.env, name) ? options.env[name] : undefined;
    if (text === undefined && missingValues === 'ignore' && !name.startsWith(printablePrefix)) return { origin };
    if (text === undefined)
      return failed({
        code: 'ENV_NOT_SET',
        severity: missingValues === 'ignore' ? 'error' : missingValues,
        message: `the environment variable ${name} is not set`,
        hint: `set the variable before you run the command, such as \`export ${name}=…\`, or in the settings of the pipeline`,
      });
    if (options.envPrefixes?.some((prefix) => name.startsWith(prefix)) ?? true) return { origin, text };
    const message = `the name of the environment variable ${name} does not begin with any of \`env_prefixes\``;
    return { origin, text, complaint: { code: 'ENV_NOT_ALLOWED', severity: 'warning', message } };
  }

  function fromFile(path: string, manifest: string | undefined, format: Leaf['format']): SourcedValue {
    const shown = safeText(path, 200);
    const named = resolve(manifest === undefined ? options.dir : dirname(manifest), path);
    // From the stack's directory, so that it can be found again without its manifest.
    const origin = { from_file: relative(options.dir, named) };
    const refused = (message: string, hint: string): SourcedValue => ({
      origin,
      complaint: { code: 'PATH_OUTSIDE_STACK', message: `the file ${shown} ${message}`, hint },
    });
    const outside = refused('is outside the directories of this stack', WIDEN);
    options.onFile?.(named);
    try {
      const real = realpathSync(named);
      const root = roots.find((one) => isInside(real, one));
      if (path.includes('\0') || root === undefined) return outside;
      if (isInGit(real) || isKept(real, root))
        return refused('is in .git or .sluice, or part of the state of the stack', MOVE);
      const known = files.get(real) ?? readSafely(real);
      files.set(real, known);
      return 'text' in known
        ? { origin, text: wholeText(format) ? known.text : known.text.replace(/\r?\n$/, '') }
        : { origin, complaint: { code: known.code, message: `the file ${shown} ${known.message}` } };
    } catch (error) {
      // Outside of the stack, messages do not reveal which files exist.
      if (![...directories, ...roots].some((root) => isInside(named, root))) return outside;
      const { code, message } = unreadable(error);
      const isMissing = code === 'FILE_NOT_FOUND';
      if (isMissing && missingValues === 'ignore' && !wholeText(format)) return { origin };
      const hint = isMissing && manifest !== undefined ? { hint: RELATIVE } : {};
      const inStack = safeText(origin.from_file, 200);
      return { origin, complaint: { code, message: `the file ${inStack} ${message}`, ...hint } };
    }
  }
}

const tooLarge: ManifestProblem = {
  code: 'TOO_LARGE',
  message: `values from files and environment variables exceed ${String(limits.totalBytes)} characters in total`,
  hint: 'use smaller files, or read the files in fewer fields',
};

const RELATIVE = 'write the path relative to the file of the manifest';
const MOVE = 'move the file to another directory of the stack';
const WIDEN = 'move the file into the stack, or add its directory to `secrets.dirs` in sluice.yaml';

/** Whether a path leads to the usual directory of the state. */
function isInOwnDirectory(path: string): boolean {
  return path.toLowerCase().split(sep).includes(dirname(defaultStatePath));
}

/** Whether a file's last line break belongs to the value; in a password or an id it never does. */
function wholeText(format: Leaf['format']): boolean {
  return format === 'pem' || format === 'saml' || format === 'policy' || format === 'json';
}

// What follows the name of a state file, and the names of the other files, which those of `state.json` have alone.
const ownFiles = /^(?:\.journal|\.(?:tmp|unreadable)-.*)?$/;
const otherFiles = /^(?:lock(?:\.(?:by|after)-.*)?|runs(?:[/\\].*)?|watch-(?:requests|state)\.json(?:\.tmp-.*)?)$/;

/** Whether a path is a state file, or one of the files that sluice keeps beside it. */
function isKeptWithState(path: string, state: string): boolean {
  const [there, name] = [relative(dirname(state), path), basename(state)];
  const prefix = name === 'state.json' ? '' : `${name}.`;
  return (
    (there.startsWith(name) && ownFiles.test(there.slice(name.length))) ||
    (there.startsWith(prefix) && otherFiles.test(there.slice(prefix.length)))
  );
}
