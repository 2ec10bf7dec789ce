import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { sortDiagnostics, type Diagnostic, type SourceLocation } from '../../diagnostics/diagnostic.ts';
import type { Path } from '../../kinds/value.ts';
import { Problems } from '../check/problems.ts';
import type { SourceFile } from '../read/source-document.ts';
import type { Patch } from '../expand/patch.ts';
import { isWrittenObject, type Written, type Origin } from '../read/written.ts';
import { checkSettings } from '../settings/check-settings.ts';
import { onlyDocument, type SettingsDocument, settingsVisibility } from '../settings/settings-document.ts';
import { checkAccess } from './declared-rules.ts';
import { stackSchema, type StackSettings } from './stack-schema.ts';

/** The name of the file that makes a directory a stack. */
export const stackFileName = 'sluice.yaml';

/** A stack file as read: its settings, and its patches with their places. */
export interface StackFile {
  readonly dir: string;
  readonly stackFile: SourceFile;
  readonly settings: StackSettings;
  readonly patches: readonly Patch[];
  /** Where a setting is written, as near as known. */
  readonly placeOf: (path: Path) => SourceLocation;
}

/** The stack file of a directory: its own, or that of the nearest directory above. */
export function findStackFile(from: string): string | undefined {
  for (let dir = resolve(from); ; dir = dirname(dir)) {
    const path = join(dir, stackFileName);
    if (existsSync(path)) return path;
    if (dirname(dir) === dir) return undefined;
  }
}

/** Reads a stack file, strictly. `file` is missing where a setting is invalid. */
export function readStackFile(path: string): {
  readonly file?: StackFile;
  readonly diagnostics: readonly Diagnostic[];
} {
  const problems = new Problems(settingsVisibility(stackSchema, isDiscreet));
  const document = onlyDocument({ name: stackFileName, path }, problems);
  const settings = document === undefined ? undefined : check(document, problems);
  const diagnostics = sortDiagnostics(problems.all());
  if (document === undefined || settings === undefined || diagnostics.length > 0) return { diagnostics };
  const { origin } = document;
  const patches = settings.patches.map((patch, index) => ({
    ...patch,
    placeOf: (operation?: number) =>
      problems.placeOf(origin, operation === undefined ? ['patches', index] : ['patches', index, 'patch', operation]),
  }));
  const placeOf = (at: Path): SourceLocation => problems.placeOf(origin, at);
  return { file: { dir: dirname(path), stackFile: origin.document.file, settings, patches, placeOf }, diagnostics };
}

/** The `state.path` of a stack file that may be invalid otherwise; undefined where none can be read. */
export function writtenStatePath(path: string): string | undefined {
  const problems = new Problems(settingsVisibility(stackSchema, isDiscreet));
  const value = onlyDocument({ name: stackFileName, path }, problems)?.value;
  const state = isWrittenObject(value) ? value['state'] : undefined;
  const found = isWrittenObject(state) ? state['path'] : undefined;
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** Whether the value at a path is not to be shown: of the key, of addresses, of a patch. */
function isDiscreet(path: Path): boolean {
  const [section, name, field] = path;
  if (section === 'api') return name === 'key' || name === 'base_url' || name === 'proxy';
  if (section === 'vars') return true;
  if (section === 'state') return name === 'path' || field === 'url';
  return section === 'patches' && path.includes('value');
}

function check(document: SettingsDocument, problems: Problems): StackSettings | undefined {
  const { value, origin } = document;
  if (reportLiteralKey(value, origin, problems)) return undefined;
  const settings = checkSettings(stackSchema, document, problems);
  if (settings === undefined) return undefined;
  checkUrl(settings.api.base_url, origin, problems);
  checkAccess(settings.access, origin, problems);
  const { lease: _, ...places } = settings.state;
  const [first, second] = Object.entries(places).flatMap(([name, place]) => (place === undefined ? [] : [name]));
  if (first !== undefined && second !== undefined)
    problems.at(origin, ['state', first], {
      code: 'INVALID_SETTING',
      message: `\`state.${first}\` and \`state.${second}\` cannot be set together`,
      hint: 'remove one of the two settings',
    });
  return settings;
}

/** The key itself in the file is reported without repeating it, and before anything else could. */
function reportLiteralKey(value: Written, origin: Origin, problems: Problems): boolean {
  const api = isWrittenObject(value) ? value['api'] : undefined;
  const key = isWrittenObject(api) ? (api['key'] ?? null) : null;
  if (key === null || isWrittenObject(key)) return false;
  problems.at(origin, ['api', 'key'], {
    code: 'API_KEY_IN_FILE',
    message: `the API key must not be written in ${stackFileName}; if the file was ever shared, rotate the key`,
    hint: 'use `key: {from_env: SLUICE_API_KEY}`',
  });
  return true;
}

/** https everywhere but on this machine, and never with a password. */
function checkUrl(url: string, origin: Origin, problems: Problems): void {
  if (url === 'embedded') return;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isLocal = parsed !== undefined && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(parsed.hostname);
  if (
    parsed?.username === '' &&
    parsed.password === '' &&
    parsed.search + parsed.hash === '' &&
    (parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isLocal))
  )
    return;
  problems.at(origin, ['api', 'base_url'], {
    code: 'INVALID_SETTING',
    message:
      '`api.base_url` must be "embedded" or an https URL without a password, query or fragment (http only on this machine)',
  });
}
