/** An error of Commander's without the value of a variable, or of a flag that is none: it may be a secret. */
export function withoutValues(text: string): string {
  return text
    .replace(/(option '--var <name=value>') argument '[^]*' is invalid\. /, '$1: ')
    .replace(/(unknown option '--[\w-]+)=[^]*'/, "$1'");
}
