import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

/** How a step or job of a pipeline ended. */
export interface PipelineEnd {
  readonly code: number | null;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** A step that runs. */
export interface RunningStep {
  /** What it printed until now. */
  readonly log: () => string;
  /** Cancels it as a runner does: on GitHub SIGINT to its shell and to nothing that the shell has started, on GitLab SIGTERM to all of its processes. */
  readonly cancel: () => void;
}

/** Called as each step starts. */
export type StepWatch = (step: RunningStep) => void;

type Env = Readonly<Record<string, string>>;

interface ActionStep {
  readonly id: string;
  readonly if?: string;
  readonly run: string;
  readonly env: Env;
}

interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly ActionStep[] };
}

/** Runs the steps of a composite action as a runner does: expressions, outputs, and no step after one that failed. */
export async function runAction(
  root: string,
  inputs: Env,
  {
    cwd,
    temp,
    env,
    watch,
  }: { readonly cwd: string; readonly temp: string; readonly env: Env; readonly watch?: StepWatch },
): Promise<PipelineEnd> {
  const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as ActionFile;
  const values = new Map([
    ['github.action_path', root],
    ['github.token', env['GITHUB_TOKEN'] ?? ''],
  ]);
  for (const [name, { default: usual = '' }] of Object.entries(action.inputs))
    values.set(`inputs.${name}`, inputs[name] ?? interpolated(usual, values));
  let log = '';
  let code: number | null = 0;
  for (const step of action.runs.steps) {
    if (code !== 0 || !isMet(step.if, values)) continue;
    const output = join(temp, `output-${step.id}`);
    writeFileSync(output, '');
    const own = Object.fromEntries(Object.entries(step.env).map(([name, text]) => [name, interpolated(text, values)]));
    // A step has the token only where the action gives it one.
    const { GITHUB_TOKEN: _, ...around } = env;
    // The command line of GitHub's runner.
    const script = join(temp, `${step.id}.sh`);
    writeFileSync(script, step.run);
    const shell = ['--noprofile', '--norc', '-e', '-o', 'pipefail', script];
    const ended = await runShell(shell, cwd, { ...around, RUNNER_TEMP: temp, GITHUB_OUTPUT: output, ...own }, watch);
    log += ended.log;
    code = ended.code;
    for (const line of readFileSync(output, 'utf8').split('\n')) {
      const at = line.indexOf('=');
      if (at > 0) values.set(`steps.${step.id}.outputs.${line.slice(0, at)}`, line.slice(at + 1));
    }
  }
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, interpolated(value, values)]);
  return { code, log, outputs: Object.fromEntries(outputs) as Env };
}

/** Runs the script of a job of a GitLab component, with the inputs given and the defaults of the others. */
export async function runComponentJob(
  file: string,
  name: string,
  inputs: Env,
  { cwd, env, watch }: { readonly cwd: string; readonly env: Env; readonly watch?: StepWatch },
): Promise<PipelineEnd> {
  const job = componentJobs(file, inputs)[name];
  if (job === undefined) throw new Error(`there is no job ${name}`);
  return runShell(
    ['-e', '-o', 'pipefail', '-c', job.script.join('\n')],
    cwd,
    { ...env, ...job.variables },
    watch,
    (group) => {
      process.kill(-group, 'SIGTERM');
    },
  );
}

/** The jobs of a GitLab component as a pipeline that includes it has them. */
export function componentJobs(
  file: string,
  inputs: Env,
): Readonly<Record<string, { readonly script: readonly string[]; readonly variables?: Env }>> {
  const [head, body] = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as unknown);
  const { spec } = head as { spec: { inputs: Readonly<Record<string, { default?: string }>> } };
  const text = JSON.stringify(body).replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, input: string) => {
    const value = inputs[input] ?? spec.inputs[input]?.default;
    if (value === undefined) throw new Error(`the input ${input} has no value`);
    return JSON.stringify(value).slice(1, -1);
  });
  return JSON.parse(text) as ReturnType<typeof componentJobs>;
}

function runShell(
  args: readonly string[],
  cwd: string,
  env: Env,
  watch?: StepWatch,
  cancel: (shell: number) => void = (shell) => void process.kill(shell, 'SIGINT'),
): Promise<PipelineEnd> {
  return new Promise((done) => {
    const child = spawn('bash', args, {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // The leader of a group of processes.
      detached: true,
    });
    let log = '';
    child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
    watch?.({ log: () => log, cancel: () => child.pid !== undefined && cancel(child.pid) });
    child.once('close', (code) => {
      done({ code, log, outputs: {} });
    });
  });
}

function interpolated(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => values.get(name) ?? '');
}

/** The conditions that action.yml uses: comparisons with a text, all of which must hold. */
function isMet(condition: string | undefined, values: ReadonlyMap<string, string>): boolean {
  if (condition === undefined) return true;
  return condition.split(' && ').every((part) => {
    const [, name = '', sign = '', text = ''] = /^([\w.-]+) (==|!=) '([^']*)'$/.exec(part) ?? [];
    if (name === '') throw new Error(`not understood: ${part}`);
    return ((values.get(name) ?? '') === text) === (sign === '==');
  });
}
