import { counted } from '../../diagnostics/counted.ts';
import type { Hazard } from '../../model/plan/plan.ts';

const mostUrls = 5;

/** Who still gets in where a change that restricts access is not applied yet: a sentence for each. */
export function stillOpenTexts(hazards: readonly Hazard[]): readonly string[] {
  return hazards.flatMap(({ code, temporary, urls = [], asked }) => {
    if (code !== 'RESTRICTS_ACCESS' || temporary === true || urls.length === 0 || asked === undefined) return [];
    const more = urls.length > mostUrls ? ` and ${counted(urls.length - mostUrls, 'other URL')}` : '';
    const shown = `${urls.slice(0, mostUrls).join(', ')}${more}`;
    return [
      asked.before === ''
        ? `Until the change is applied, anyone can still reach ${shown}`
        : `Until the change is applied, ${shown} still ${urls.length === 1 ? 'requires' : 'require'} only ${asked.before}`,
    ];
  });
}
