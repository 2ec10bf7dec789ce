import { posix, resolve } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { InvalidInput } from '../../diagnostics/errors.ts';
import { appendTo } from '../../files/open-to-write.ts';
import { writeOutput } from '../../files/write-output.ts';
import { ruleDiagnostics } from '../../plan/access-policy/finding-message.ts';
import type { Context } from '../context.ts';
import { UsageError, writeOutputFile } from '../../stack/usage-error.ts';
import type { PlanResult } from '../../render/formats/format.ts';
import { outputTarget, repositoryOf, type CommentFlags } from '../ci.ts';

/** Where else to report a plan, and how. */
export interface ReportFlags extends CommentFlags {
  readonly githubSummary?: boolean;
  readonly githubAnnotations?: boolean;
  readonly gitlabReport?: string;
}

// GitHub's size limit for the summary of one step.
const summaryBytes = 1_048_576;

/** The file that GitHub shows as the job summary. Throws before anything is done if there is none. */
export function summaryFile({ io }: Context, { githubSummary }: ReportFlags): string | undefined {
  if (githubSummary !== true) return undefined;
  const path = io.env['GITHUB_STEP_SUMMARY'];
  if (path === undefined || path === '')
    throw new UsageError(
      '--github-summary requires the variable GITHUB_STEP_SUMMARY',
      'run the command in a step of GitHub Actions, which sets it',
    );
  return path;
}

/** Writes all the other reports of a plan that were asked for. */
export async function report(context: Context, result: PlanResult, dir: string, flags: ReportFlags): Promise<void> {
  const { plan } = result;
  const summary = summaryFile(context, flags);
  if (summary !== undefined) {
    const { markdownFormat } = await import('../../render/formats/markdown.ts');
    const target = outputTarget(context, { maxBytes: summaryBytes, ...flags, platform: 'github' }, dir);
    const text = markdownFormat.plan(result, target);
    await writeOutputFile(summary, () => {
      appendTo(resolve(context.io.cwd, summary), `${text}\n`);
      return Promise.resolve();
    });
  }
  const { gitlabReport: numbers } = flags;
  if (numbers !== undefined) {
    const { planNumbers } = await import('../../render/plan/plan-summary.ts');
    const { create, update, adopt, replace, delete: removed } = planNumbers(plan);
    // GitLab shows these three; a replacement is a creation and a deletion, as Terraform counts.
    const text = `${JSON.stringify({ create: create + replace, update: update + adopt, delete: removed + replace })}\n`;
    await writeOutputFile(numbers, () => writeOutput(resolve(context.io.cwd, numbers), text));
  }
  if (flags.githubAnnotations === true) {
    const { hazardAnnotations } = await import('../../render/diagnostics/github-annotations.ts');
    annotate(context, hazardAnnotations(plan, inRepository(context, dir)));
    await annotateLines(context, flags, dir, [...plan.diagnostics, ...ruleDiagnostics(plan.rules ?? [])]);
  }
}

/** Runs something, and annotates the manifests with its errors before rethrowing them. */
export async function annotated<T>(
  context: Context,
  flags: ReportFlags,
  dir: string,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof InvalidInput) await annotateLines(context, flags, dir, error.diagnostics);
    throw error;
  }
}

/** Annotates the lines that diagnostics are about, if that was asked for. */
export async function annotateLines(
  context: Context,
  flags: ReportFlags,
  dir: string,
  diagnostics: readonly Diagnostic[],
): Promise<void> {
  if (flags.githubAnnotations !== true) return;
  const { diagnosticAnnotations } = await import('../../render/diagnostics/github-annotations.ts');
  annotate(context, diagnosticAnnotations(diagnostics, inRepository(context, dir)));
}

/** A manifest's path relative to the root of its repository, as far as that is known. */
function inRepository({ io }: Context, dir: string): (file: string) => string {
  const folder = repositoryOf(io.env, dir)?.folder ?? '';
  return (file) => posix.join(folder, file);
}

/** Runners read commands from standard error as well, and standard output is for the result. */
function annotate({ io }: Context, lines: readonly string[]): void {
  if (lines.length > 0) io.err(`${lines.join('\n')}\n`);
}
