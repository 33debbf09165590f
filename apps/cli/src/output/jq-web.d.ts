/** jq itself, compiled to WebAssembly. It has no types of its own. */
declare module "jq-web" {
  const jq: Promise<{
    /** The standard output of jq, `undefined` if it is empty. Throws an `Error` with its standard error. */
    readonly raw: (input: string, filter: string, flags: ReadonlyArray<string>) => string | undefined
  }>
  export default jq
}
