/** Flags that say what part of a stack a command is about. */
export interface StackFlags {
  /** In place of `manifests`. */
  readonly file?: readonly string[];
  readonly selector?: string;
  /** Addresses. */
  readonly target?: readonly string[];
  readonly parallelism: number;
}
