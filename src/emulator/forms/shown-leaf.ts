import type { Leaf } from '../../kinds/kind.ts';
import type { SpecValue } from '../../kinds/value.ts';
import { normalized } from './normalized.ts';
import type { Settings } from '../options.ts';
import { timeOf } from '../world.ts';

/** One scalar as a service shows what it was sent: some texts normalized, times in UTC, without key comments, secrets according to the settings. */
export function shownLeaf(leaf: Leaf, value: SpecValue, settings: Settings): SpecValue {
  if (leaf.secret === true && value !== '') {
    if (settings.secrets === 'empty') return '';
    if (settings.secrets === 'masked') return '********';
  }
  const shown = settings.readBack === 'as-sent' ? value : readBack(leaf, value);
  return typeof shown === 'object' ? shown : normalized(leaf, shown, settings.normalize);
}

function readBack(leaf: Leaf, value: SpecValue): SpecValue {
  if (typeof value !== 'string') return value;
  if (leaf.format === 'hostport' || leaf.format === 'header-name') return value.toLowerCase();
  if (leaf.format === 'ssh-public-key')
    return value
      .trim()
      .split(/[ \t]+/, 2)
      .join(' ');
  if (leaf.compare === 'instant' && leaf.lifecycle !== 'computed') return inUtc(value);
  return value;
}

function inUtc(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : timeOf(date);
}
