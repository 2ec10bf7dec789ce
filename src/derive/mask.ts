/** Whether the text of a secret as read reveals nothing: empty, or a mask of at most two distinct characters (decisions/0035). */
export function isMask(text: string): boolean {
  return new Set(text).size <= 2;
}
