/** Variables of the environment, where there is one. */

/** The value of a variable; `undefined` if it is not set, is empty, or the runtime has none. */
export const variable = (name: string): string | undefined => {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> }
  }
  try {
    return process?.env?.[name] || undefined
  } catch {
    // Deno without --allow-env.
    return undefined
  }
}
