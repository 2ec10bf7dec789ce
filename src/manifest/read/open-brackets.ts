import type { SyntaxProblem } from './syntax-problem.ts';

/** Finds brackets and quotes that are never closed. The parser reports them where the next line does not fit. */
export class OpenBrackets {
  readonly #open: { readonly bracket: string; readonly at: number }[] = [];
  readonly #unclosed: SyntaxProblem[] = [];

  /** Takes the next lexeme and its offset. */
  next(lexeme: string, at: number): void {
    if (lexeme === '[' || lexeme === '{') this.#open.push({ bracket: lexeme, at });
    else if (lexeme === ']' || lexeme === '}') {
      const opened = this.#open.pop();
      if (opened !== undefined && closing[opened.bracket] !== lexeme) this.#report(opened);
    } else if (lexeme === flowEnd) this.end();
    else if (isOpenQuote(lexeme)) this.#report({ bracket: lexeme.charAt(0), at });
  }

  /** The text or the indentation of the brackets has ended. */
  end(): void {
    const innermost = this.#open.at(-1);
    if (innermost !== undefined) this.#report(innermost);
    this.#open.length = 0;
  }

  /** The problems since the last call. */
  take(): readonly SyntaxProblem[] {
    return this.#unclosed.splice(0);
  }

  #report({ bracket, at }: { readonly bracket: string; readonly at: number }): void {
    this.#unclosed.push({
      code: 'SYNTAX_ERROR',
      range: [at, at + 1],
      message: `the ${bracket in closing ? 'bracket' : 'quote'} \`${bracket}\` is not closed`,
      hint: `add the closing \`${closing[bracket] ?? bracket}\``,
    });
  }
}

const closing: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

// The lexer's mark for brackets that end because a line is indented less.
const flowEnd = '\x18';

// Quotes inside are written \\" or '', so that those at the end close the text only in the right number.
function isOpenQuote(lexeme: string): boolean {
  const quote = lexeme.charAt(0);
  if (quote !== '"' && quote !== "'") return false;
  const inside = lexeme.slice(1);
  if (!inside.endsWith(quote)) return true;
  const before = quote === '"' ? endRun(inside.slice(0, -1), '\\') : endRun(inside.slice(0, -1), quote);
  return before % 2 === 1;
}

function endRun(text: string, character: string): number {
  let at = text.length;
  while (at > 0 && text[at - 1] === character) at -= 1;
  return text.length - at;
}
