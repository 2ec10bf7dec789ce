import { appendFile } from 'node:fs/promises';
import { posix, resolve } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { InvalidInput } from '../diagnostics/errors.ts';
import { kinds } from '../kinds/index.ts';
import type { Plan } from '../model/plan.ts';
import type { Verification } from '../model/verification.ts';
import { replaceFile } from '../files/replace-file.ts';
import { platformOf, repositoryOf } from './ci.ts';
import type { Context } from './context.ts';
import { writeOutputFile } from '../stack/output-file.ts';
import { UsageError } from '../stack/usage-error.ts';
import type { PlatformName } from '../render/text/platform.ts';

/** Where else to report a plan, and how. */
export interface ReportFlags {
  readonly platform?: PlatformName;
  readonly maxBytes?: number;
  readonly githubSummary?: boolean;
  readonly githubAnnotations?: boolean;
  readonly gitlabReport?: string;
}

/** Facts that are reported with a plan. */
export interface PlanFacts {
  readonly digest: string;
  readonly time: string;
  readonly verified?: Verification;
}

// GitHub's size limit for the summary of one step.
const summaryBytes = 1_048_576;

/** A plan as a comment in the Markdown of the given platform, or of the one that runs the pipeline. */
export async function commentText(
  { io }: Context,
  planned: Plan,
  facts: PlanFacts & { readonly dir: string | undefined },
  flags: ReportFlags,
): Promise<string> {
  const { planMarkdown } = await import('../render/plan/plan-markdown.ts');
  const repository = facts.dir === undefined ? undefined : repositoryOf(io.env, facts.dir);
  return planMarkdown(planned, {
    kinds,
    platform: flags.platform ?? platformOf(io.env),
    digest: facts.digest,
    time: facts.time,
    ...(facts.verified === undefined ? {} : { verified: facts.verified }),
    ...(repository === undefined ? {} : { repository }),
    ...(flags.maxBytes === undefined ? {} : { maxBytes: flags.maxBytes }),
  });
}

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
export async function report(
  context: Context,
  planned: Plan,
  facts: PlanFacts & { readonly dir: string },
  flags: ReportFlags,
): Promise<void> {
  const summary = summaryFile(context, flags);
  if (summary !== undefined) {
    const text = await commentText(context, planned, facts, { maxBytes: summaryBytes, ...flags, platform: 'github' });
    await writeOutputFile(summary, () => appendFile(resolve(context.io.cwd, summary), `${text}\n`));
  }
  const { gitlabReport: numbers } = flags;
  if (numbers !== undefined) {
    const { gitlabReport } = await import('../render/diagnostics/gitlab-report.ts');
    const text = `${JSON.stringify(gitlabReport(planned))}\n`;
    await writeOutputFile(numbers, () => replaceFile(resolve(context.io.cwd, numbers), text));
  }
  if (flags.githubAnnotations === true) {
    const { hazardAnnotations } = await import('../render/diagnostics/github-annotations.ts');
    annotate(context, hazardAnnotations(planned, inRepository(context, facts.dir)));
    await annotateLines(context, flags, facts.dir, planned.diagnostics);
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
  const { diagnosticAnnotations } = await import('../render/diagnostics/github-annotations.ts');
  annotate(context, diagnosticAnnotations(diagnostics, inRepository(context, dir)));
}

/** A manifest's path relative to the root of its repository, as far as that is known. */
export function inRepository({ io }: Context, dir: string): (file: string) => string {
  const folder = repositoryOf(io.env, dir)?.folder ?? '';
  return (file) => posix.join(folder, file);
}

/** Runners read commands from standard error as well, and standard output is for the result. */
function annotate({ io }: Context, lines: readonly string[]): void {
  if (lines.length > 0) io.err(`${lines.join('\n')}\n`);
}
