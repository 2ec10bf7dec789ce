import { describe, expect, it } from 'vitest';
import { readExchanges, type Step } from './fixture.ts';
import { completedOperations, describedOperations, meanings, refusals } from './rows.ts';

const exchanges = readExchanges();

describe('every row of the tables has an exchange', () => {
  const done = new Set(exchanges.flatMap(({ steps }) => steps.filter(succeeds).map(operationOf)));
  it.each(describedOperations)('%s, as described', (operation) => {
    expect(done).toContain(operation.replaceAll(/\{\w+\}/g, '{}'));
  });
  it.each(completedOperations)('%s, as completed', (operation) => {
    expect(done).toContain(operation.replaceAll(/\{\w+\}/g, '{}'));
  });
});

describe('every condition has an exchange that shows it', () => {
  it.each(refusals)('%s', (condition) => {
    const shown = exchanges.filter(({ shows }) => shows.includes(condition));
    expect(shown.flatMap(({ steps }) => steps).some((step) => !succeeds(step) || step.answer === 404)).toBe(true);
  });
  it.each(meanings)('%s', (meaning) => {
    expect(exchanges.some(({ shows }) => shows.includes(meaning))).toBe(true);
  });
});

describe('the fixtures are in order', () => {
  it('no exchange shows a row that no table has', () => {
    expect(exchanges.flatMap(({ shows }) => shows).filter((row) => ![...refusals, ...meanings].includes(row))).toEqual(
      [],
    );
  });
  it('no exchange sends a request that no table has, but to show that it is refused', () => {
    const known = [...describedOperations, ...completedOperations].map((row) => row.replaceAll(/\{\w+\}/g, '{}'));
    const sent = exchanges.flatMap(({ steps }) => steps.filter(succeeds).map(operationOf));
    expect(sent.filter((operation) => !known.includes(operation) && !operation.includes('next_page_uri'))).toEqual([]);
  });
  it('no two exchanges have the same name', () => {
    const names = exchanges.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});

function succeeds(step: Step): boolean {
  return step.refused === undefined && (step.answer ?? 0) < 300;
}

/** A step's request with `{}` in place of what earlier answers fill in, and without its query. */
function operationOf({ send }: Step): string {
  return send.startsWith('GET ${first.next_page_uri}')
    ? send
    : send.replace(/\?.*$/, '').replaceAll(/\$\{[^}]+\}/g, '{}');
}
