import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { sortDiagnostics, type Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { InvalidInput } from '../../../diagnostics/errors.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { replaceFile } from '../../../files/replace-file.ts';
import { kinds } from '../../../kinds/index.ts';
import { manifestVisibility, Problems } from '../../../manifest/check/problems.ts';
import { formattedText } from '../../../manifest/format/formatted-text.ts';
import { readManifests } from '../../../manifest/read/read-manifests.ts';
import type { SourceFile } from '../../../manifest/read/source-document.ts';
import { stackFileName } from '../../../manifest/stack-file/stack-file.ts';
import { readStackConfig } from '../../../stack/settings/stack-config.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';

/** Formats the YAML files of a stack, or those that are named; standard input is printed. If one does not parse, writes nothing. */
export async function fmt(
  context: Context,
  paths: readonly string[],
  { check = false }: { readonly check?: boolean },
): Promise<number> {
  if (paths.includes('-') && paths.length > 1)
    throw new UsageError('standard input cannot be formatted together with files', 'run `sluice fmt -` without files');
  const { dir, inputs } = await scope(context, paths);
  const files = await formatAll(context, dir, inputs);
  const changed = files.filter(({ file, text }) => text !== file.text);
  const [first] = files;
  if (paths.includes('-') && !check && first !== undefined) return context.done(first.text, { text: first.text });
  if (!check) for (const { file, text } of changed) await write(file, text);
  const names = changed.map(({ file }) => file.name);
  const code = context.done(names.map((name) => `${safeText(name)}\n`).join(''), { files: names });
  if (!check || names.length === 0) return code;
  context.log('warn', 'The files above are not formatted. Run `sluice fmt` to format them.');
  return exitCodes.pending;
}

async function scope(
  context: Context,
  paths: readonly string[],
): Promise<{ readonly dir: string; readonly inputs: readonly string[] }> {
  if (paths.length > 0)
    return { dir: context.io.cwd, inputs: paths.map((path) => (path === '-' ? path : resolve(context.io.cwd, path))) };
  const { dir, settings } = await readStackConfig(context);
  return { dir, inputs: [stackFileName, ...settings.manifests] };
}

/** Each YAML file with its formatted text. Throws if one cannot be read or parsed, with everything that is wrong. */
async function formatAll(
  context: Context,
  dir: string,
  inputs: readonly string[],
): Promise<{ readonly file: SourceFile; readonly text: string }[]> {
  const problems = new Problems(manifestVisibility(kinds));
  const formatted: { file: SourceFile; text: string }[] = [];
  const kept: Diagnostic[] = [];
  for await (const result of readManifests({ dir, inputs, stdin: context.io.stdin })) {
    if ('problem' in result) problems.add(result.problem);
    else if (!/\.json$/i.test(result.file.name)) {
      const { file } = result;
      const done = formattedText(file);
      if ('broken' in done)
        for (const document of done.broken) for (const problem of document.problems) problems.inText(document, problem);
      else formatted.push({ file, text: 'text' in done ? done.text : file.text });
      if ('unsafe' in done) kept.push(notFormatted(file));
    }
  }
  const wrong = sortDiagnostics(problems.all());
  if (wrong.length > 0) throw new InvalidInput(wrong);
  await context.report(kept);
  return formatted;
}

function notFormatted(file: SourceFile): Diagnostic {
  return {
    code: 'NOT_FORMATTED',
    severity: 'warning',
    message: 'sluice cannot format the file without changing a value or a comment',
    hint: 'write multi-line text as a block (`|`) and put comments on separate lines',
    place: { file: file.name, line: 1, col: 1 },
  };
}

/** Replaces a file, or the file that a link leads to; its permissions stay. */
async function write({ path }: SourceFile, text: string): Promise<void> {
  if (path === undefined) return;
  const real = await realpath(path);
  await replaceFile(real, text, { mode: (await stat(real)).mode & 0o777 });
}
