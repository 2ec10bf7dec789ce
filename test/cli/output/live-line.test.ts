import { expect, test } from 'vitest';
import { liveLine } from '../../../src/cli/output/live-line.ts';

function written(isTerminal: boolean): { readonly text: () => string } & ReturnType<typeof liveLine> {
  let all = '';
  return { text: () => all, ...liveLine((text) => (all += text), isTerminal) };
}

test('what is printed goes above the line of what is under way, which stays the last', () => {
  const { show, print, text } = written(true);
  show('1 of 2');
  print('again in 2 s\n');
  show('2 of 2');
  show('');
  print('done\n');
  expect(text().split('\r\u{1b}[K')).toEqual(['', '1 of 2', 'again in 2 s\n1 of 2', '2 of 2', 'done\n']);
});

test('elsewhere than on a terminal there is no such line', () => {
  const { show, print, text } = written(false);
  show('1 of 2');
  print('done\n');
  expect(text()).toBe('done\n');
});
