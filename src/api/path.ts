import { SluiceError } from '../diagnostics/errors.ts';

/** The path, refused where an odd id would make it lead somewhere else: to the collection above, or out of it. */
export function checkedPath(path: string): string {
  const [before = ''] = path.split('?');
  const parts = before.split('/');
  if (parts.length > 1 && parts[0] === '' && parts.slice(1).every(isPlain) && /^[\x21-\x7e]+$/.test(path)) return path;
  throw new SluiceError('INVALID_PATH', `not a path of the API: ${JSON.stringify(path)}`);
}

function isPlain(part: string): boolean {
  return part !== '' && !/^(?:\.|%2e){1,2}$/i.test(part);
}
