/** Flags that select the part of a stack for a command. */
export interface StackFlags {
  /** In place of `manifests`. */
  readonly file?: readonly string[];
  readonly selector?: string;
  /** Addresses. */
  readonly target?: readonly string[];
  readonly parallelism: number;
}
