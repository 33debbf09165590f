/** The packages whose modules people import, and what each is for: the order and the words of the site's menus. */
export const purposes: ReadonlyMap<string, string> = new Map([
  ["http-client", "Read the service"],
  ["domain", "Money, times, filters, scans"],
  ["fake", "A fake of the service"],
  ["mirror", "A mirror in SQL"],
  ["files", "Exports and ledgers"],
  ["books", "The books of a month"],
  ["report", "Pages for a finance team"],
  ["in-memory", "The service in memory"],
  ["http-api", "The contract"],
  ["conformance", "Laws of a service"],
  ["mcp", "Tools for language models"],
])

/** Modules by name, those that are called without a namespace first: the Promise client is what most readers look for. */
export const inOrder = (modules: ReadonlyArray<string>): ReadonlyArray<string> =>
  modules.toSorted((one, other) => Number(isNamespace(one)) - Number(isNamespace(other)) || (one < other ? -1 : 1))

const isNamespace = (module: string): boolean => /^[A-Z]/.test(module.split("/").at(-1) ?? module)
