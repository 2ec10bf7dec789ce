/** What ids are made of, for messages. */
export const idForm = '1 to 255 characters of A-Z a-z 0-9 _ - . ~';

/** Whether a text can be the id of a resource. The names that paths give to directories cannot. */
export function isId(text: string): boolean {
  return /^[A-Za-z0-9_.~-]{1,255}$/.test(text) && text !== '.' && text !== '..';
}
