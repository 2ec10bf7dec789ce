import { execFileSync, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { skippedWithout } from '../support/skipped-without.ts';
import { company, directory, sluice, stack } from './terminal.ts';

/** A line as it is being typed; the cursor is at its end. */
type Complete = (line: string) => Promise<readonly string[]>;

async function script(shell: string): Promise<string> {
  const dir = await directory({ 'plan.bin': '', 'notes/a.md': '' });
  const { code, out } = await sluice(dir, `completion ${shell}`);
  expect(code).toBe(0);
  await writeFile(join(dir, 'script'), out);
  return dir;
}

function has(shell: string): boolean {
  return spawnSync(shell, ['-c', 'true']).status === 0;
}

function run(shell: string, args: readonly string[], cwd: string): readonly string[] {
  const text = execFileSync(shell, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return [...new Set(text.split(/\s+/).filter((word) => word !== ''))].sort();
}

// What the program prints of the manifests of a stack, in the directory that -C names.
const program = `sluice() { [ "$1" = -C ] && echo "ReservedAddr/in-$2"; printf '%s\\n' HTTPSEdge/shop HTTPSEdgeRoute/shop:/cart HTTPSEdgeRoute/shop:/; }`;

const bash: Complete = async (line) => {
  const dir = await script('bash');
  // Readline breaks words at `=` as well.
  const words = line.replaceAll('=', ' = ').replaceAll(':', ' : ').split(/ +/);
  const code = `${program}; source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sluice; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return run('bash', ['-c', code, 'bash', ...words], dir);
};

const zsh: Complete = async (line) => {
  const dir = await script('zsh');
  // What compinit brings is played by what prints: the candidates that begin with the word at the cursor.
  const code = `compdef() { }; _files() { print -rl -- *(N) | grep -- "^$typed" }
compadd() { shift; print -rl -- "$@" | grep -- "^$typed" }
${program}
source ./script; words=("$@"); CURRENT=$#; typed=\${words[CURRENT]}; _sluice; true`;
  return run('zsh', ['-f', '-c', code, 'zsh', ...line.split(/ +/)], dir);
};

const fishProgram = `function sluice; printf '%s\\n' HTTPSEdge/shop HTTPSEdgeRoute/shop:/cart HTTPSEdgeRoute/shop:/; end`;

const fish: Complete = async (line) => {
  const dir = await script('fish');
  const code = `${fishProgram}; source ./script; complete -C ${JSON.stringify(line)} | string replace -r '\\t.*' ''; true`;
  return run('fish', ['--no-config', '-c', code], dir);
};

test('bash knows that there is completion for sluice', async () => {
  const dir = await script('bash');
  const reported = execFileSync('bash', ['-c', 'source ./script; complete -p sluice'], { cwd: dir, encoding: 'utf8' });
  expect(reported).toBe('complete -o filenames -F _sluice sluice\n');
});

test('an unknown shell is a mistake', async () => {
  expect(await sluice(await directory(), 'completion tcsh')).toMatchObject({ code: 8, out: '' });
});

const shells = Object.entries({ bash, zsh, fish }).map(
  ([shell, complete]) => [shell, skippedWithout(shell, has(shell)), complete] as const,
);

describe.each<readonly [string, string, Complete]>(shells)('completion in %s%s', (_, skipped, complete) => {
  test.skipIf(skipped !== '').each([
    ['sluice pl', ['plan']],
    ['sluice ex', ['explain', 'export', 'exposure']],
    ['sluice tr', ['trace']],
    ['sluice trace --pl', ['--plan', '--planned']],
    ['sluice state u', ['unlock']],
    ['sluice help st', ['state', 'status']],
    ['sluice -C notes state l', ['list', 'lock']],
    ['sluice plan --det', ['--detailed-exitcode']],
    ['sluice --format ya', ['yaml']],
    ['sluice plan --platform git', ['gitea', 'github', 'gitlab']],
    ['sluice plan --platform gitea --out pl', ['plan.bin']],
    ['sluice plan --all pl', ['plan.bin']],
    ['sluice show pl', ['plan.bin']],
    ['sluice comment pl', ['plan.bin']],
    ['sluice comment plan.bin --detail h', ['hazards']],
    ['sluice export https', ['https-edge', 'https-edge-route']],
    ['sluice export https-edge --al', ['--all', '--all-stacks']],
    ['sluice completion f', ['fish']],
    ['sluice import pl', []],
    ['sluice import HTTPSEdge/', ['HTTPSEdge/shop']],
    ['sluice plan --target HTTPSEdge/', ['HTTPSEdge/shop']],
    ['sluice state forget HTTPSEdge/', ['HTTPSEdge/shop']],
    ['sluice plan --allow OP', ['OPENS_ACCESS']],
    ['sluice explain OPENS', ['OPENS_ACCESS']],
    ['sluice explain https-edge-route.webhook_verification.s', ['https-edge-route.webhook_verification.secret']],
  ])('%s', async (line, words) => {
    expect(await complete(line)).toEqual(words);
  });
});

test.skipIf(!has('bash'))('bash completes an address with a colon, at which it breaks words', async () => {
  expect(await bash('sluice plan --target HTTPSEdgeRoute/shop:/c')).toEqual(['/cart']);
  expect(await bash('sluice plan --target HTTPSEdgeRoute/shop:/cart --platform gite')).toEqual(['gitea']);
  expect(await bash('sluice -C prod import Res')).toEqual(['ReservedAddr/in-prod']);
});

test.skipIf(!has('bash'))('bash completes the name of a file as one word, whatever is in it', async () => {
  const dir = await script('bash');
  await writeFile(join(dir, 'a *.plan'), '');
  const code = `source ./script; COMP_WORDS=(sluice show a); COMP_CWORD=2; _sluice; printf '%s\\n' "\${COMPREPLY[@]}"`;
  expect(execFileSync('bash', ['-c', code], { cwd: dir, encoding: 'utf8' })).toBe('a *.plan\n');
});

test('addresses that a shell would expand are not completed', async () => {
  const dir = await stack(company.replace('name: front, ', '').replace('match: /,', 'match: /$(id),'));
  expect(await sluice(dir, 'complete-addresses')).toEqual({
    code: 0,
    out: 'ReservedAddr/mqtt\nHTTPSEdge/shop\n',
    err: '',
  });
});

test.skipIf(!has('bash'))('bash completes a value behind an equals sign', async () => {
  expect(await bash('sluice plan --format=js')).toEqual(['json']);
  expect(await bash('sluice plan --platform=')).toEqual(['bitbucket', 'gitea', 'github', 'gitlab']);
});
