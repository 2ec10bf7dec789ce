import { SluiceError } from '../diagnostics/errors.ts';

/** How much all lists of one refresh may bring together. */
export interface ListBudget {
  readonly addPage: (path: string) => void;
  readonly addItem: (path: string) => void;
}

const most = { pages: 20_000, items: 1_000_000 };

/** A budget for one refresh. Ends it by what it has read, never by the time that took. */
export function listBudget(): ListBudget {
  const used = { pages: 0, items: 0 };
  const add = (what: keyof typeof most, path: string): void => {
    used[what] += 1;
    if (used[what] > most[what])
      throw tooManyItems(path, `sluice reads at most ${most[what].toLocaleString('en')} ${what} in one refresh`);
  };
  return { addPage: (path) => add('pages', path), addItem: (path) => add('items', path) };
}

/** The error for a list that does not end. */
export function tooManyItems(path: string, why: string): SluiceError {
  return new SluiceError('TOO_MANY_ITEMS', `GET ${path} returns too many items: ${why}`, {
    hint: 'check that api.base_url is the URL of the service; nothing was changed, and sluice treats no resource as deleted',
  });
}
