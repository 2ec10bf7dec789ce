/** What a code means, and what to do about it. */
export interface CodeMeaning {
  readonly meaning: string;
  readonly remedy: string;
}
