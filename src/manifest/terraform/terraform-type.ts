import { spelledKind } from '../../derive/explain/spelled-kind.ts';
import type { Kind, KindSet } from '../../kinds/kind.ts';

/** The kind, or one module of a kind, that a resource type means, whatever the provider is called: after the first word, which is the provider, its words are those of the kind, in any order and number, and then the name of the module. */
export function meaningOf(type: string, kinds: KindSet): { readonly kind: Kind; readonly module?: string } | undefined {
  for (const kind of kinds.all) {
    if (namesOf(kind).some((words) => isCalled(type, words))) return { kind };
    for (const [module, field] of Object.entries(kind.fields))
      if (field.is === 'group' && type.endsWith(`_${module}`))
        if (namesOf(kind).some((words) => isCalled(type.slice(0, -module.length - 1), words))) return { kind, module };
  }
  return undefined;
}

function namesOf({ name, alsoCalled = [] }: Kind): readonly (readonly string[])[] {
  return [spelledKind(name).split('-'), ...alsoCalled.map((other) => other.split('_'))];
}

function isCalled(type: string, words: readonly string[]): boolean {
  // Terraform itself takes the first word for the name of the provider, so that more words before the kind are of another thing.
  const own = type.split('_').slice(1);
  return (
    words.length === own.length && words.every((word) => own.some((one) => one === word || singular(one) === word))
  );
}

function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.replace(/(?<=ss)es$|s$/, '');
}
