import { describe, expect, test } from 'vitest';
import { killedStack } from '../support/killed-stack.ts';
import { notBuilt } from '../support/processes.ts';

const address = (description: string): string =>
  `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: mqtt}\nlifecycle: {protect: false}\nspec: {description: ${description}}\n`;

describe.skipIf(notBuilt !== '')(`an apply that is killed after the service has changed${notBuilt}`, () => {
  test('is in the history without an end, and the next plan names it', async () => {
    const { apply, run, write, emulator } = await killedStack();
    await write(address('One'));
    expect(await apply().ended).toMatchObject({ code: 0 });
    expect(await run(['plan']).ended).toMatchObject({ err: '' });
    await write(address('Two'));
    const killed = apply();
    const stop = emulator.intercept(async ({ method }, next) => {
      const answer = await next();
      if (method === 'PATCH') killed.child.kill('SIGKILL');
      return answer;
    });
    expect(await killed.ended).toMatchObject({ code: 'SIGKILL' });
    stop();

    const listed = await run(['history']).ended;
    const [, last = '', first = ''] = listed.out.split('\n');
    expect(last).toMatch(/ no end recorded \(began .*\) .* run still active, or killed before its end was recorded /);
    expect(first).not.toContain('killed');
    const id = last.slice(0, 8);
    const shown = await run(['history', id]).ended;
    expect(shown.out).toContain('Ended:     no end recorded: the run is still active, or was killed.');
    expect(shown.out).toMatch(/^ReservedAddr\/mqtt +update +unknown /m);
    expect(shown.out).toContain('description: One -> Two');

    await write(address('Three'));
    const planned = await run(['plan']).ended;
    expect(planned.err + planned.out).toContain(`LAST_RUN_UNFINISHED`);
    expect(planned.err + planned.out).toContain(`sluice history ${id}`);
    expect(await apply().ended).toMatchObject({ code: 0 });
    const after = await run(['plan']).ended;
    expect(after.err + after.out).not.toContain('LAST_RUN_UNFINISHED');
  });
});
