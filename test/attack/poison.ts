import { isIdentifying } from '../../src/kinds/is-identifying.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { Field, Fields } from '../../src/kinds/kind.ts';
import { isMapping, type Item, type Written, type WrittenObject } from '../generators/item.ts';
import { documentsOf } from '../support/manifest-text.ts';
import type { Dice } from './dice.ts';
import type { Loot } from './loot.ts';

/** How bold an attack is: its manifests are to get through, or would but for values that none may use, or may be anything. */
export type Boldness = 'valid' | 'greedy' | 'refusable';

/** The manifests of a stack with values of the machine in random places. */
export function poisoned(items: readonly Item[], loot: Loot, dice: Dice, boldness: Boldness): WrittenObject[] {
  const within = items.map((item): Item => {
    const fields = kinds.named(item.kind)?.fields ?? {};
    return { ...item, spec: inFields(fields, item.spec) };
  });
  const documents = documentsOf(within, kinds);
  return boldness === 'refusable' ? documents.map(anywhere) : documents;

  function inFields(fields: Fields, spec: WrittenObject): WrittenObject {
    return mapped(spec, (name, value) => inField(fields[name], value));
  }

  function inField(field: Field | undefined, value: Written): Written {
    if (field === undefined || value === null) return value;
    if (field.is === 'group') return isMapping(value) ? inFields(field.fields, value) : value;
    if (field.is === 'dict') return isMapping(value) ? mapped(value, (_, item) => inField(field.of, item)) : value;
    if (field.is === 'list')
      return Array.isArray(value) ? value.map((item: Written) => inField(field.of, item)) : value;
    if (isMapping(value) || typeof value !== 'string' || /-----BEGIN|^ssh-|^ecdsa-/.test(value)) return value;
    if (field.secret === true && dice.odds(0.3)) return loot.literal();
    if (boldness !== 'refusable' && isIdentifying(field)) return dice.odds(0.05) ? loot.printed(value) : value;
    if (boldness === 'greedy' && dice.odds(0.1)) return loot.forbidden();
    return dice.odds(0.2) ? loot.source(value) : value;
  }

  /** Where no field asks for it: names, labels, lists, types, ids, and what is forbidden. */
  function anywhere(value: WrittenObject): WrittenObject {
    return dice.odds(0.2) ? (spoiled(value, 0) as WrittenObject) : value;
  }

  function spoiled(value: Written, depth: number): Written {
    if (Array.isArray(value)) return value.map((item: Written) => spoiled(item, depth + 1));
    if (isMapping(value)) {
      const changed = mapped(value, (_, item) => spoiled(item, depth + 1));
      if (dice.odds(0.1) && depth === 1)
        return { ...changed, [dice.one(['pasword', 'clent_secret', 'x'])]: loot.literal() };
      return depth > 1 && dice.odds(0.03) ? loot.source('') : changed;
    }
    if (depth < 2 || !dice.odds(0.08)) return value;
    return dice.odds(0.4) ? loot.forbidden() : loot.source(value);
  }
}

/** Documents that share modules, take ids from the machine, or adopt by one. */
export function extras(loot: Loot, dice: Dice): WrittenObject[] {
  const value = (): Written => (dice.odds(0.5) ? loot.forbidden() : loot.source('text'));
  const all: readonly (() => WrittenObject)[] = [
    () => document('ModuleSet', 'shared', { response_headers: { add: { 'x-taken': value() } } }),
    () => document('ModuleSet', 'shared', { request_headers: { add: { 'x-taken': loot.source('text') } } }),
    () => document('External', 'taken', { type: 'backend', id: value() }),
    () => ({
      ...document('ReservedAddr', 'adopted', { region: 'eu', description: value() }),
      lifecycle: { adopt: dice.one<Written>(['../../x', '..', value()]), protect: false },
    }),
    () => ({
      ...document('ReservedAddr', 'labelled', { region: 'eu' }),
      metadata: { name: value(), labels: { a: value() } },
    }),
  ];
  return dice.odds(0.4) ? dice.some(all, 1).map((make) => make()) : [];
}

function document(kind: string, name: string, spec: WrittenObject): WrittenObject {
  return { apiVersion: 'sluice/v1', kind, metadata: { name }, spec };
}

function mapped(value: WrittenObject, change: (name: string, item: Written) => Written): WrittenObject {
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(name, item)]));
}
