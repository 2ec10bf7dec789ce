/** One thing that happens in a scenario, in the order of the text. */
export type ScenarioStep =
  | { readonly does: 'setup'; readonly text: string; readonly line: number }
  /** From here on these are the manifests, whole; `file` is where they stand. */
  | { readonly does: 'manifests'; readonly file: string; readonly text: string; readonly line: number }
  /** The plan must print this, and is then applied unless it is `blocked`. */
  | {
      readonly does: 'plan';
      readonly flags: readonly string[];
      readonly text: string;
      readonly line: number;
      readonly block: Block;
    }
  /** Somebody else calls the API. */
  | {
      readonly does: 'api';
      readonly method: string;
      readonly path: string;
      readonly text: string;
      readonly line: number;
    }
  /** It is this moment now, for everybody. */
  | { readonly does: 'time'; readonly moment: number; readonly line: number }
  /** A file that apply has written is gone. */
  | { readonly does: 'lose file'; readonly file: string; readonly line: number }
  /** The state file is gone. */
  | { readonly does: 'lose state'; readonly line: number };

/** Where the text of a fenced block stands, in lines from 0, so that it can be replaced. */
export interface Block {
  readonly from: number;
  readonly to: number;
}

/** A scenario taken apart: its title and its steps. Prose between the blocks is for people. */
export interface Scenario {
  readonly title: string;
  readonly steps: readonly ScenarioStep[];
}

/** Reads a scenario in Markdown. */
export function readScenario(markdown: string): Scenario {
  const lines = markdown.split('\n');
  const title = lines.find((line) => line.startsWith('# '))?.slice(2) ?? 'Untitled';
  const steps: ScenarioStep[] = [];
  for (let at = 0; at < lines.length; at++) {
    const fence = /^```(\S.*)$/.exec(lines[at] ?? '');
    if (fence === null) continue;
    const end = lines.indexOf('```', at + 1);
    if (end < 0) throw new Error(`the block opened in line ${at + 1} is never closed`);
    const text = lines
      .slice(at + 1, end)
      .map((line) => `${line}\n`)
      .join('');
    steps.push(stepOf(fence[1] ?? '', text, at + 1, { from: at + 1, to: end }));
    at = end;
  }
  return { title, steps };
}

/** The text of a scenario with other contents in some of its blocks. */
export function withBlocks(markdown: string, changed: ReadonlyMap<Block, string>): string {
  const lines = markdown.split('\n');
  const lastFirst = [...changed].sort(([a], [b]) => b.from - a.from);
  for (const [{ from, to }, text] of lastFirst) lines.splice(from, to - from, ...text.trimEnd().split('\n'));
  return lines.join('\n');
}

function stepOf(info: string, text: string, line: number, block: Block): ScenarioStep {
  const [word = '', ...rest] = info.trim().split(/\s+/);
  if (word === 'setup') return { does: 'setup', text, line };
  if (word === 'yaml') return { does: 'manifests', file: rest[0] ?? 'stack.yaml', text, line };
  if (word === 'plan') return { does: 'plan', flags: rest, text, line, block };
  if (word === 'api') return { does: 'api', method: rest[0] ?? 'GET', path: rest[1] ?? '/', text, line };
  if (word === 'time') return { does: 'time', moment: Date.parse(rest[0] ?? ''), line };
  if (word === 'file' && rest[1] === 'lost') return { does: 'lose file', file: rest[0] ?? '', line };
  if (word === 'state' && rest[0] === 'lost') return { does: 'lose state', line };
  throw new Error(`line ${line}: a scenario has no blocks of ${JSON.stringify(info)}`);
}
